package io.github.limiterkit.http.answer;

import java.net.URI;
import java.util.List;

/**
 * Writes the body of a refusal. What a client sent never appears in it, nor does a key.
 *
 * <p>The two types are requested of IANA and not registered yet, so a user may name others.
 *
 * @param quotaExceeded the problem type of a 429
 * @param reducedCapacity the problem type of a 503
 */
public record Problem(URI quotaExceeded, URI reducedCapacity) {

  /** With the types that the draft asks IANA for. */
  public static final Problem STANDARD =
      new Problem(
          URI.create("https://iana.org/assignments/http-problem-types#quota-exceeded"),
          URI.create("https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"));

  /**
   * Writes the body.
   *
   * @param form which form it is to have
   * @param violations what to say
   * @return the text, ASCII only
   */
  public String write(BodyForm form, Violations violations) {
    boolean quota = violations.status() == Violations.TOO_MANY_REQUESTS;
    String title = quota ? "Quota Exceeded" : "Temporary Reduced Capacity";
    String detail = quota ? detail(violations) : "";
    return switch (form) {
      case PROBLEM -> json(title, detail, violations);
      case HTML -> html(title, detail.isEmpty() ? retry(violations) : detail);
      case TEXT -> title + "\n" + (detail.isEmpty() ? retry(violations) : detail) + "\n";
    };
  }

  /**
   * Writes the body of an answer to a client that is not served.
   *
   * @param form which form it is to have
   * @return the text, ASCII only
   */
  public static String forbidden(BodyForm form) {
    String title = "Forbidden";
    return switch (form) {
      case PROBLEM -> "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403}";
      case HTML -> html(title, "This address is not served.");
      case TEXT -> title + "\nThis address is not served.\n";
    };
  }

  private String json(String title, String detail, Violations violations) {
    boolean quota = violations.status() == Violations.TOO_MANY_REQUESTS;
    StringBuilder json = new StringBuilder(256);
    json.append("{\"type\":");
    quoted(json, (quota ? quotaExceeded : reducedCapacity).toASCIIString());
    json.append(",\"title\":");
    quoted(json, title).append(",\"status\":").append(violations.status());
    if (!detail.isEmpty()) {
      quoted(json.append(",\"detail\":"), detail);
    }
    if (!violations.names().isEmpty()) {
      json.append(",\"violated-policies\":[");
      String separator = "";
      for (String name : violations.names()) {
        quoted(json.append(separator), name);
        separator = ",";
      }
      json.append(']');
    }
    if (violations.retryAfter() > 0) {
      json.append(",\"retry_after\":").append(violations.retryAfter());
    }
    return json.append('}').toString();
  }

  private static String html(String title, String detail) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><title>"
        + escaped(title)
        + "</title></head><body><h1>"
        + escaped(title)
        + "</h1><p>"
        + escaped(detail)
        + "</p></body></html>\n";
  }

  private static String detail(Violations violations) {
    List<String> names = violations.names();
    StringBuilder text = new StringBuilder();
    if (violations.keyless()) {
      return "This request lacks what it is counted by, such as a user or a key.";
    }
    if (violations.hopeless()) {
      return "This request costs more than its quota allows; it cannot succeed by waiting.";
    }
    if (names.size() == 1) {
      text.append("Quota for policy '").append(names.get(0)).append("' is exhausted. ");
    } else if (names.isEmpty()) {
      text.append("Quota is exhausted. ");
    } else {
      text.append("Quotas for policies '").append(String.join("', '", names));
      text.append("' are exhausted. ");
    }
    return text.append(retry(violations)).toString();
  }

  private static String retry(Violations violations) {
    long seconds = violations.retryAfter();
    if (seconds == 0) {
      return "It cannot succeed by waiting.";
    }
    return "Retry in " + seconds + (seconds == 1 ? " second." : " seconds.");
  }

  private static StringBuilder quoted(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c >= 0x20 && c < 0x7f) {
        json.append(c);
      } else {
        json.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          json.append(Character.forDigit((c >> shift) & 0xf, 16));
        }
      }
    }
    return json.append('"');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
