package io.github.limiterkit.http;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which paths a route is for: {@code /login}, {@code /api/*} (also {@code /api}), {@code *.css},
 * {@code /users/{id}} (one segment each, may end in {@code /*}), or {@code /*}.
 */
final class PathPattern {

  static final String FORMS = "/login, /api/*, *.css, /users/{id}, /*";

  private final String text;

  /** What the last segment ends with, for an extension only. */
  private final @Nullable String extension;

  /** What a path begins with, one after the other; empty text stands for any segment. */
  private final String[] segments;

  private final boolean anyDepth;

  private PathPattern(
      String text, @Nullable String extension, List<String> segments, boolean anyDepth) {
    this.text = text;
    this.extension = extension;
    this.segments = segments.toArray(new String[0]);
    this.anyDepth = anyDepth;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it is of no known form; the message names the form to use
   */
  static PathPattern parse(String written) {
    String text = Normalizer.normalize(written.strip(), Normalizer.Form.NFC);
    if (text.startsWith("*.")) {
      String extension = text.substring(1);
      if (extension.length() < 2 || hasAny(extension, "*/{}")) {
        throw wrong(text, "an extension is written as in *.css");
      }
      refuseOddities(text);
      return new PathPattern(text, extension, List.of(), false);
    }
    if (!text.startsWith("/")) {
      throw wrong(text, text.isEmpty() ? "write /* for every path" : "write /" + text);
    }
    if (text.contains("**")) {
      throw wrong(text, "/* at the end is any depth already, so write " + singleStar(text));
    }
    refuseOddities(text);
    boolean anyDepth = text.endsWith("/*");
    String path = anyDepth ? text.substring(0, text.length() - 2) : text;
    return new PathPattern(text, null, segments(text, path), anyDepth);
  }

  private static List<String> segments(String text, String path) {
    if (path.isEmpty() || path.equals("/")) {
      return List.of();
    }
    List<String> segments = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      if (segment.isEmpty()) {
        throw wrong(text, "paths are compared without doubled and trailing slashes");
      }
      if (segment.equals(".") || segment.equals("..")) {
        throw wrong(text, "paths are compared after dot segments are resolved");
      }
      segments.add(segment(text, segment));
    }
    return segments;
  }

  private static String segment(String text, String segment) {
    if (segment.contains("*")) {
      throw wrong(text, "a * stands alone at the end, as in /api/*; for one segment write {name}");
    }
    if (!hasAny(segment, "{}")) {
      return segment;
    }
    if (segment.matches("\\{[A-Za-z_][A-Za-z0-9_.-]*}")) {
      return "";
    }
    throw wrong(text, "a template stands for one whole segment, as in /users/{id}");
  }

  private static void refuseOddities(String text) {
    if (hasAny(text, "?#;")) {
      throw wrong(text, "paths are compared without query and path parameters; leave them out");
    }
    if (text.contains("%")) {
      throw wrong(text, "paths are compared decoded; write the character itself");
    }
    if (hasAny(text, "\\^|()[]") || text.endsWith("$")) {
      throw wrong(text, "there are no regular expressions");
    }
  }

  private static String singleStar(String text) {
    String prefix = text.substring(0, text.indexOf('*'));
    return (prefix.endsWith("/") ? prefix : prefix + "/") + "*";
  }

  private static boolean hasAny(String text, String characters) {
    for (int i = 0; i < text.length(); i++) {
      if (characters.indexOf(text.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static IllegalArgumentException wrong(String text, String advice) {
    return new IllegalArgumentException(
        "path \"" + text + "\": " + advice + " (forms: " + FORMS + ")");
  }

  /** The same for paths in lower case. */
  PathPattern inLowerCase() {
    return new PathPattern(
        text,
        extension == null ? null : CanonicalPath.lowerCase(extension),
        Arrays.stream(segments).map(CanonicalPath::lowerCase).toList(),
        anyDepth);
  }

  /** Whether every path is meant. */
  boolean isEverything() {
    return anyDepth && segments.length == 0;
  }

  /** Whether a canonical path is meant. */
  boolean matches(String path) {
    if (extension != null) {
      return path.endsWith(extension);
    }
    int at = 0; // where the path is read up to, always at a slash or at the end
    int length = path.equals("/") ? 0 : path.length();
    for (String segment : segments) {
      if (at >= length) {
        return false;
      }
      int from = at + 1;
      if (segment.isEmpty()) {
        int slash = path.indexOf('/', from);
        at = slash < 0 ? length : slash;
      } else {
        at = from + segment.length();
        boolean whole = at == length || (at < length && path.charAt(at) == '/');
        if (!whole || !path.startsWith(segment, from)) {
          return false;
        }
      }
    }
    return anyDepth || at == length;
  }

  @Override
  public String toString() {
    return text;
  }
}
