package io.github.limiterkit.http;

import java.util.List;
import java.util.Locale;

/**
 * When an adapter asks, where one stands in front of authentication and another behind it. Each
 * policy is asked once: before, if its key needs no user, and after otherwise.
 */
public enum Phase {
  /** The policies whose key is known before the user is: failed log-ins count, too. */
  BEFORE_AUTHENTICATION,
  /** All that were not asked before. */
  AFTER_AUTHENTICATION;

  /**
   * The word for it in configuration: {@code before-authentication} or {@code
   * after-authentication}.
   *
   * @return the word
   */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Reads a word.
   *
   * @param word as in {@link #word()}
   * @return the phase
   * @throws IllegalArgumentException if there is no such word, naming the nearest
   */
  public static Phase parse(String word) {
    for (Phase phase : values()) {
      if (phase.word().equals(word)) {
        return phase;
      }
    }
    List<String> words = List.of(BEFORE_AUTHENTICATION.word(), AFTER_AUTHENTICATION.word());
    throw new IllegalArgumentException(
        "phase: there is no \"%s\"%s (%s)"
            .formatted(word, Spelling.didYouMean(word, words), String.join(", ", words)));
  }
}
