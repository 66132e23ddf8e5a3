package io.github.limiterkit.setup;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the environment's values into text: a dollar sign and a name in braces, or {@code
 * NAME:-value} in the braces with what to take if there is none, or an empty one. Two dollar signs
 * before a brace stand for one that is meant as it is.
 *
 * <p>It is done to single values after the file was read, so that what is in the environment can
 * change a value and never the shape of the configuration.
 */
final class Variables {

  private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)}?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final Function<String, @Nullable String> environment;

  /**
   * Over some environment.
   *
   * @param environment value by name, null for none
   */
  Variables(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  /**
   * Replaces every reference.
   *
   * @throws IllegalArgumentException if there is no such variable and no value in its place
   */
  String in(String text) {
    Matcher references = REFERENCE.matcher(text);
    StringBuilder filled = new StringBuilder();
    while (references.find()) {
      String inside = references.group(1);
      String value =
          inside == null
              ? "${"
              : value(inside, references.group().endsWith("}"), references.group());
      references.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return references.appendTail(filled).toString();
  }

  private String value(String inside, boolean closed, String written) {
    int dash = inside.indexOf(":-");
    String name = dash < 0 ? inside : inside.substring(0, dash);
    if (!closed || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no variable; write ${NAME} or ${NAME:-value}, or $${ for the characters"
              .formatted(written));
    }
    String value = environment.apply(name);
    if (value != null && (dash < 0 || !value.isEmpty())) {
      return value;
    }
    if (dash < 0) {
      throw new IllegalArgumentException(
          "the environment has no %s; set it, or write ${%s:-value}".formatted(name, name));
    }
    return inside.substring(dash + 2);
  }
}
