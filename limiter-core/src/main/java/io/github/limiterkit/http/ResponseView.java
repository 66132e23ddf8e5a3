package io.github.limiterkit.http;

import java.util.Collection;
import java.util.List;

/**
 * What the rules need to know of a response: what other components have already said in a field
 * that is a list.
 *
 * <p>For a servlet, {@code response::getHeaders} will do.
 */
@FunctionalInterface
public interface ResponseView {

  /** A response on which nothing is set yet. */
  ResponseView EMPTY = name -> List.of();

  /**
   * The lines of a field as they stand on the response.
   *
   * @param name of the field
   * @return the values, one per line; empty if there are none
   */
  Collection<String> headers(String name);
}
