package io.github.limiterkit.examples.outagereplay;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param plan how long everything takes
 * @param out the directory for the report and the figures
 * @param doc a page of the figures in Markdown; null for none
 */
record Arguments(Plan plan, Path out, @Nullable Path doc) {

  static final String USAGE =
      "usage: examples/outage-replay/replay [--quick] [--out DIR] [--doc FILE]";

  /**
   * Reads the words; of an option that is given twice, the last counts.
   *
   * @throws IllegalArgumentException naming the word that is wrong
   */
  static Arguments parse(String... words) {
    Plan plan = Plan.FULL;
    Path out = Path.of("outage-replay");
    Path doc = null;
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "--quick" -> plan = Plan.QUICK;
        case "--out" -> out = path(words, i++, "a directory");
        case "--doc" -> doc = path(words, i++, "a file");
        default -> throw new IllegalArgumentException("unknown argument \"" + words[i] + "\"");
      }
    }
    if (doc != null && !plan.equals(Plan.FULL)) {
      throw new IllegalArgumentException(
          "--doc wants the whole replay, so it does not go with --quick");
    }
    return new Arguments(plan, out, doc);
  }

  private static Path path(String[] words, int option, String what) {
    if (option + 1 == words.length
        || words[option + 1].isBlank()
        || words[option + 1].startsWith("--")) {
      throw new IllegalArgumentException(
          words[option] + " needs the name of " + what + " after it");
    }
    try {
      return Path.of(words[option + 1]);
    } catch (InvalidPathException wrong) {
      throw new IllegalArgumentException(
          words[option] + " \"" + words[option + 1] + "\" is not the name of " + what, wrong);
    }
  }
}
