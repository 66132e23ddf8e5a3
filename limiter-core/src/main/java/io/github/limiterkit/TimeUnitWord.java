package io.github.limiterkit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The words for units of time in the kit's configuration. */
enum TimeUnitWord {
  MILLISECONDS("ms", "millis", Duration.ofMillis(1)),
  SECONDS("s", "seconds", Duration.ofSeconds(1)),
  MINUTES("m", "minutes", Duration.ofMinutes(1)),
  HOURS("h", "hours", Duration.ofHours(1)),
  DAYS("d", "days", Duration.ofDays(1));

  static final String WORDS = "ms s m h d";

  private final String word;
  private final String longForm;
  private final Duration one;

  TimeUnitWord(String word, String longForm, Duration one) {
    this.word = word;
    this.longForm = longForm;
    this.one = one;
  }

  String word() {
    return word;
  }

  Duration times(long amount) {
    return one.multipliedBy(amount);
  }

  static @Nullable TimeUnitWord exactly(String word) {
    for (TimeUnitWord unit : values()) {
      if (unit.word.equals(word)) {
        return unit;
      }
    }
    return null;
  }

  /** What somebody meant who wrote {@code min}, {@code sec}, {@code hour} or {@code hrs}. */
  static @Nullable TimeUnitWord nearest(String word) {
    if (word.equals("msec") || word.equals("milliseconds")) {
      return MILLISECONDS;
    }
    TimeUnitWord same = exactly(word); // M was meant as m, which "millis" begins with, too
    if (same != null) {
      return same;
    }
    for (TimeUnitWord unit : values()) {
      if (unit.longForm.startsWith(word)) {
        return unit;
      }
    }
    for (TimeUnitWord unit : values()) {
      if (unit != MILLISECONDS && unit.word.charAt(0) == word.charAt(0)) {
        return unit;
      }
    }
    return null;
  }

  /** The shortest exact form: 90 s is {@code 90s}, 120 s is {@code 2m}. */
  static String text(Duration duration) {
    TimeUnitWord[] units = values();
    for (int i = units.length - 1; i > 0; i--) {
      long millis = units[i].one.toMillis();
      if (duration.toMillis() % millis == 0) {
        return duration.toMillis() / millis + units[i].word;
      }
    }
    return duration.toMillis() + MILLISECONDS.word;
  }
}
