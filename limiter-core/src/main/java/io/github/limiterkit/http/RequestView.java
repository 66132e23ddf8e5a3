package io.github.limiterkit.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rules need to know of a request.
 *
 * <p>An adapter implements it over its framework's request. It is used by one thread at a time and
 * never outlives the request. No method reads the body, creates a session or throws because of what
 * the client sent.
 */
public interface RequestView {

  /**
   * The method as the client wrote it: {@code get} is not {@code GET}.
   *
   * @return the method, never overridden by a header
   */
  String method();

  /**
   * The path within the application, decoded, without query.
   *
   * <p>It need not be canonical, the rules see to that: Undertow leaves doubled slashes and Tomcat
   * leaves some path parameters. A servlet's request URI will not do, it is the raw text.
   *
   * @return the path, beginning with a slash; null if the framework could not decode it, and then
   *     every route applies
   */
  @Nullable String path();

  /**
   * The lines of a header field in the order received.
   *
   * <p>All of them: of two lines, most frameworks' getters for one value give the first.
   *
   * @param name of the field, in any letter case
   * @return the values, one per line, perhaps empty text; empty if there is no such line
   */
  List<String> headers(String name);

  /**
   * The address of the peer as the container spells it: Jetty puts IPv6 into brackets, and a zone
   * may follow.
   *
   * @return an address literal; null or empty if the connection has none, as over a Unix socket
   */
  @Nullable String remoteAddress();

  /**
   * The name of the authenticated user at this moment.
   *
   * @return the name; null if nobody is authenticated, or not yet
   */
  @Nullable String principal();

  /**
   * Reads a value that is kept with the request for as long as it lasts, through forwards,
   * includes, error and asynchronous dispatches, and is seen by every adapter that the request
   * meets.
   *
   * @param name of the attribute
   * @return the value, null if it was not set
   */
  @Nullable Object attribute(String name);

  /**
   * Keeps a value with the request.
   *
   * @param name of the attribute
   * @param value what {@link #attribute(String)} is to return from now on
   */
  void attribute(String name, Object value);
}
