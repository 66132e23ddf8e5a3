package io.github.limiterkit.setup;

import io.github.limiterkit.Limit;
import io.github.limiterkit.Scope;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.RequestView;
import io.github.limiterkit.http.Route;
import io.github.limiterkit.http.Spelling;
import io.github.limiterkit.http.answer.Dialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads single settings as they are written in text. */
final class Words {

  private static final Pattern TIME = Pattern.compile("[0-9]{1,10}(ms|s|m|h|d)");
  private static final List<String> TRUTHS = List.of("true", "false");

  /** Stands in for a policy where there is none yet, so that a route can be read for its errors. */
  static final HttpPolicy ANY = HttpPolicy.named("any").limits("1/1s").build();

  private Words() {}

  /** A time such as {@code 50ms}. */
  static Duration time(String text) {
    if (!TIME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not a time; write a number and a unit, as in 50ms (units: ms s m h d)"
              .formatted(text));
    }
    // The same words as a limit's window, so that there is one reader of them.
    try {
      return Limit.parse("1/" + text).window();
    } catch (IllegalArgumentException outOfRange) {
      throw new IllegalArgumentException(
          "\"%s\" is outside 1ms to 366d".formatted(text), outOfRange);
    }
  }

  /** A time of a second or more. */
  static Duration seconds(String text) {
    Duration time = time(text);
    if (time.toSeconds() < 1) {
      throw new IllegalArgumentException("\"%s\" is shorter than 1s".formatted(text));
    }
    return time;
  }

  /** A whole number in a range. */
  static long number(String text, long least, long most) {
    if (text.matches("-?[0-9]{1,18}")) {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "\"%s\" is not a whole number from %d to %d".formatted(text, least, most));
  }

  /** A whole number whose range is told by whoever takes it. */
  static int count(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("\"%s\" is not a whole number, 1 or more".formatted(text));
    }
    return Integer.parseInt(text);
  }

  /** A part of a whole, such as {@code 0.5}. */
  static double fraction(String text) {
    if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
      throw new IllegalArgumentException("\"%s\" is not a number such as 0.5 or 1".formatted(text));
    }
    return Double.parseDouble(text);
  }

  static boolean truth(String text) {
    if (!TRUTHS.contains(text)) {
      throw unknown(text, TRUTHS);
    }
    return text.equals("true");
  }

  static WhenStoreFails posture(String text) {
    return constant(WhenStoreFails.class, text);
  }

  /** One of a few words. */
  static <E extends Enum<E>> E constant(Class<E> type, String text) {
    for (E constant : type.getEnumConstants()) {
      if (word(constant).equals(text)) {
        return constant;
      }
    }
    throw unknown(text, Arrays.stream(type.getEnumConstants()).map(Words::word).toList());
  }

  /** A dialect of the fields, of which some are to come. */
  static Dialect dialect(String text) {
    if (text.equals("draft-next") || text.equals("transition")) {
      throw new IllegalArgumentException(
          "\"%s\" is not supported yet; write draft-11".formatted(text));
    }
    return constant(Dialect.class, text);
  }

  /** A number of seconds up to an hour. */
  static Duration jitter(String text) {
    Duration most = seconds(text);
    if (most.toSeconds() > 3600) {
      throw new IllegalArgumentException("\"%s\" is longer than 1h".formatted(text));
    }
    return most;
  }

  static Scope scope(String text) {
    return constant(Scope.class, text);
  }

  /** Who says which tier a request has: nothing that a client sends. */
  static Function<RequestView, @Nullable String> attribute(String text) {
    String name =
        text.startsWith("attribute:") ? text.substring("attribute:".length()).strip() : "";
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "\"%s\" is not known here; write attribute:NAME, as in attribute:plan".formatted(text));
    }
    return request -> {
      Object value = request.attribute(name);
      return value == null ? null : value.toString();
    };
  }

  /** A path as routes have it, checked here where its place is known. */
  static String path(String text) {
    try {
      return Route.of(List.of(), text, List.of(ANY)).toString();
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(without(wrong, "path "), wrong);
    }
  }

  /** The elements of a list; line breaks and a comma at the end do no harm. */
  static List<String> list(String text) {
    List<String> elements = new ArrayList<>();
    for (String element : withoutLastComma(text).split(",", -1)) {
      elements.add(element.strip());
    }
    return elements;
  }

  static String withoutLastComma(String text) {
    String stripped = text.strip();
    return stripped.endsWith(",") ? stripped.substring(0, stripped.length() - 1) : stripped;
  }

  /** The message of an error without what its reader knows from the place that stands before it. */
  static String without(IllegalArgumentException wrong, String... prefixes) {
    String message = String.valueOf(wrong.getMessage());
    for (String prefix : prefixes) {
      message = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }
    return message;
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static IllegalArgumentException unknown(String text, List<String> known) {
    return new IllegalArgumentException(
        "there is no \"%s\"%s (%s)"
            .formatted(text, Spelling.didYouMean(text, known), String.join(", ", known)));
  }
}
