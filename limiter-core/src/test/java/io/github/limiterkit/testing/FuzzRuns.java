package io.github.limiterkit.testing;

/**
 * Counts what a fuzzer has tried. Without the variable {@code JAZZER_FUZZ} Jazzer tries the empty
 * input alone and calls it a success, so every fuzz test asks here in the end whether it was run.
 */
public final class FuzzRuns {

  /** Far fewer than a busy machine tries in some seconds, and more than that one input. */
  private static final long FEWEST = 10;

  private long runs;

  /** One more input. */
  public void count() {
    runs++;
  }

  /** Fails if there was no fuzzing to speak of. */
  public void assertMany() {
    if (runs < FEWEST) {
      throw new AssertionError(
          "the fuzzer tried " + runs + " inputs and not " + FEWEST + " or more; set JAZZER_FUZZ=1");
    }
  }
}
