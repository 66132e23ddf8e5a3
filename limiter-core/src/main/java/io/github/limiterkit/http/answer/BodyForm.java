package io.github.limiterkit.http.answer;

import java.util.List;
import java.util.Locale;

/** The forms a body can have, and which of them a client asked for. */
public enum BodyForm {
  /** Problem details, RFC 9457; also for whoever accepts none of the others: never a 406. */
  PROBLEM("application/problem+json"),
  /** A minimal page. */
  HTML("text/html;charset=utf-8"),
  /** Two lines. */
  TEXT("text/plain;charset=utf-8");

  /** More of the field than this is not looked at. */
  private static final int LONGEST_ACCEPT = 4096;

  private final String contentType;

  BodyForm(String contentType) {
    this.contentType = contentType;
  }

  /**
   * The value of {@code Content-Type}.
   *
   * @return a media type
   */
  public String contentType() {
    return contentType;
  }

  /**
   * Chooses by what the client accepts; weights other than 0 make no difference.
   *
   * @param accept the lines of the {@code Accept} field, perhaps none
   * @return the form to write
   */
  public static BodyForm accepted(List<String> accept) {
    if (accept.isEmpty()) {
      return PROBLEM;
    }
    Ranges ranges = new Ranges();
    for (String line : accept) {
      ranges.read(line.length() > LONGEST_ACCEPT ? line.substring(0, LONGEST_ACCEPT) : line);
    }
    return ranges.choose();
  }

  /** What is known of one media range. */
  private enum Said {
    NOTHING,
    YES,
    NO;

    Said or(Said wider) {
      return this == NOTHING ? wider : this;
    }
  }

  private static final class Ranges {
    private Said problem = Said.NOTHING;
    private Said json = Said.NOTHING;
    private Said application = Said.NOTHING;
    private Said html = Said.NOTHING;
    private Said plain = Said.NOTHING;
    private Said text = Said.NOTHING;
    private Said all = Said.NOTHING;

    BodyForm choose() {
      // The narrowest range that names a type decides; JSON stands for problem details.
      if (problem.or(json == Said.YES ? json : Said.NOTHING).or(application).or(all) == Said.YES) {
        return PROBLEM;
      }
      if (html == Said.YES) {
        return HTML;
      }
      if (plain.or(text).or(all) == Said.YES) {
        return TEXT;
      }
      return PROBLEM;
    }

    void read(String line) {
      int from = 0;
      while (from < line.length()) {
        int to = Quoted.end(line, from, ',');
        element(line.substring(from, to));
        from = to + 1;
      }
    }

    private void element(String element) {
      int to = Quoted.end(element, 0, ';');
      Said said = Said.YES;
      for (int from = to + 1; from < element.length(); ) {
        int next = Quoted.end(element, from, ';');
        if (isZeroWeight(element.substring(from, next))) {
          said = Said.NO;
        }
        from = next + 1;
      }
      say(element.substring(0, to).strip().toLowerCase(Locale.ROOT), said);
    }

    private void say(String range, Said said) {
      switch (range) {
        case "application/problem+json" -> problem = said;
        case "application/json" -> json = said;
        case "application/*" -> application = said;
        case "text/html" -> html = said;
        case "text/plain" -> plain = said;
        case "text/*" -> text = said;
        case "*/*" -> all = said;
        default -> {} // a type that we do not write
      }
    }

    private static boolean isZeroWeight(String parameter) {
      String text = parameter.strip();
      if (text.length() < 3 || (text.charAt(0) | 0x20) != 'q' || text.charAt(1) != '=') {
        return false;
      }
      for (int i = 2; i < text.length(); i++) {
        boolean point = i == 3 && text.charAt(i) == '.';
        if (text.charAt(i) != '0' && !point) {
          return false;
        }
      }
      return true;
    }
  }
}
