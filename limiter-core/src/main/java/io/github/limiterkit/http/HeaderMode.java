package io.github.limiterkit.http;

import java.util.List;
import java.util.Locale;

/**
 * Which answers show a policy in {@code RateLimit-Policy} and {@code RateLimit}. {@code
 * Retry-After} is on every refusal, whatever this says.
 */
public enum HeaderMode {
  /** Every answer. */
  ALWAYS,
  /** Refusals only. */
  ON_REJECTION,
  /** None, and the body of a refusal does not name the policy either. */
  NEVER;

  /**
   * The word for it in configuration: {@code always}, {@code on-rejection} or {@code never}.
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
   * @return the mode
   * @throws IllegalArgumentException if there is no such word, naming the nearest
   */
  public static HeaderMode parse(String word) {
    for (HeaderMode mode : values()) {
      if (mode.word().equals(word)) {
        return mode;
      }
    }
    List<String> words = List.of(ALWAYS.word(), ON_REJECTION.word(), NEVER.word());
    throw new IllegalArgumentException(
        "headers: there is no \"%s\"%s (%s)"
            .formatted(word, Spelling.didYouMean(word, words), String.join(", ", words)));
  }

  boolean shows(boolean refusal) {
    return this == ALWAYS || (this == ON_REJECTION && refusal);
  }
}
