package io.github.limiterkit.setup;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/** Says in plain words what is wrong with the punctuation of a file. */
final class Syntax {

  private Syntax() {}

  /** What to write instead, as far as that can be guessed. */
  static String advice(MarkedYamlEngineException wrong) {
    String problem = String.valueOf(wrong.getProblem());
    if (problem.contains("\\t(TAB)")) {
      return "a tab stands here; indent with spaces";
    }
    if ("while scanning an alias".equals(wrong.getContext())) {
      return "a text that begins with * needs quotes, as in \"*.css\"";
    }
    if (problem.contains("cannot start any token")) {
      return "a text that begins with this character needs quotes";
    }
    if (problem.contains("mapping values are not allowed")) {
      return "a colon is not expected here; is the line before indented as it should be, or does a"
          + " text with \": \" in it lack quotes?";
    }
    if (problem.contains("got {")) {
      return "within { } and [ ] a text with braces needs quotes, as in "
          + (follows(wrong.getProblemMark(), '$') ? "\"${NAME:-value}\"" : "\"/users/{id}\"");
    }
    if (problem.contains("<stream end>") || problem.contains("end of stream")) {
      return "the file ends here, but what begins in line %d is not closed"
          .formatted(line(wrong.getContextMark()));
    }
    if (problem.contains("expected ',' or")) {
      return "a comma or the end of the list or group that begins in line %d is missing here"
          .formatted(line(wrong.getContextMark()));
    }
    if (problem.contains("expected <block end>")) {
      return "this line is not indented like those above that it belongs to, from line %d on"
          .formatted(line(wrong.getContextMark()));
    }
    return "this is no YAML: " + problem;
  }

  private static boolean follows(Optional<Mark> mark, char before) {
    return mark.isPresent()
        && mark.get().getPointer() > 0
        && mark.get().getBuffer()[mark.get().getPointer() - 1] == before;
  }

  private static int line(Optional<Mark> mark) {
    return mark.map(at -> at.getLine() + 1).orElse(1);
  }
}
