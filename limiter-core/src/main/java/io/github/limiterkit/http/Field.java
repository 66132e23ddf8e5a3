package io.github.limiterkit.http;

import java.util.Objects;

/**
 * A field to set on the response, in place of any lines that it has.
 *
 * @param name of the field
 * @param value not empty
 */
public record Field(String name, String value) {

  /**
   * Takes both parts as they are.
   *
   * @param name of the field
   * @param value not empty
   */
  public Field {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(value, "value");
  }
}
