package io.github.limiterkit.setup;

import java.util.List;

/**
 * A kit that cannot be built as it was described. It tells everything that is wrong at once; each
 * error names the place, the value, and what would be right.
 */
public final class LimiterConfigurationException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** One line for each error. */
  @SuppressWarnings("serial") // An immutable list of strings is serializable.
  private final List<String> errors;

  LimiterConfigurationException(String where, int count, List<String> errors) {
    super(message(where, count, errors));
    this.errors = List.copyOf(errors);
  }

  /**
   * What is wrong.
   *
   * @return one line for each error, at least one; of more than 100, the first
   */
  public List<String> errors() {
    return errors;
  }

  private static String message(String where, int count, List<String> errors) {
    StringBuilder message = new StringBuilder(where);
    message.append(count == 1 ? ": 1 error" : ": " + count + " errors");
    message.append(", nothing started");
    for (String error : errors) {
      message.append("\n  ").append(error);
    }
    return message.toString();
  }
}
