package io.github.limiterkit.benchmarks;

/** Says on the error stream how far it has got, so that what is printed stays free of it. */
final class Progress {

  private Progress() {}

  static void round(String scenario, int round) {
    say(scenario + ": round " + (round + 1) + " done");
  }

  static void say(String what) {
    System.err.println("... " + what);
  }
}
