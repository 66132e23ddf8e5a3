package io.github.limiterkit.http;

import java.text.Normalizer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One spelling for a path, so that a limit cannot be evaded by spelling it another way.
 *
 * <p>Containers do part of this, each another part.
 */
final class CanonicalPath {

  /** To Unicode it is the same as a semicolon, and NFC makes one of it. */
  private static final char GREEK_QUESTION_MARK = '\u037e';

  private CanonicalPath() {}

  /**
   * The path without path parameters, empty and dot segments and the trailing slash, composed as of
   * Unicode NFC.
   *
   * @param decoded a decoded path, null if there is none
   * @return the one spelling; null for a path that reaches above the root, holds a control
   *     character, a backslash, an encoded slash or a semicolon of another script, or does not
   *     begin with a slash: what the application makes of such a path cannot be known
   */
  static @Nullable String of(@Nullable String decoded) {
    if (decoded == null) {
      return null;
    }
    if (decoded.isEmpty()) {
      return "/";
    }
    if (isOrdinary(decoded)) {
      return decoded;
    }
    if (decoded.charAt(0) != '/' || isOpaque(decoded)) {
      return null;
    }
    String path = isPlain(decoded) ? decoded : rebuilt(decoded);
    return path == null || isAscii(path) ? path : Normalizer.normalize(path, Normalizer.Form.NFC);
  }

  /** For those who serve a path in any letter case. */
  static String lowerCase(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  /** Almost every path is, and one look at each character tells so; the long way does the rest. */
  private static boolean isOrdinary(String path) {
    char before = 'a';
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      boolean fits = (c == '/' || c == '.') ? before != '/' : isOrdinary(c);
      if (!fits) {
        return false;
      }
      before = c;
    }
    return path.charAt(0) == '/' && (before != '/' || path.length() == 1);
  }

  private static boolean isOrdinary(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }

  /** Asking the normalizer costs more than all the rest. */
  private static boolean isAscii(String path) {
    for (int i = 0; i < path.length(); i++) {
      if (path.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOpaque(String path) {
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\'
          || c == GREEK_QUESTION_MARK
          || Character.isISOControl(c)
          || (c == '%' && isEncodedSlash(path, i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isEncodedSlash(String path, int percent) {
    return path.regionMatches(true, percent, "%2f", 0, 3)
        || path.regionMatches(true, percent, "%5c", 0, 3);
  }

  /** Almost every path is: nothing to take out of it. */
  private static boolean isPlain(String path) {
    int length = path.length();
    for (int i = 0; i < length; i++) {
      char c = path.charAt(i);
      if (c == ';') {
        return false;
      }
      if (c == '/') {
        char next = i + 1 < length ? path.charAt(i + 1) : '/';
        if (next == '/' || next == '.') {
          return false; // a dot may begin an ordinary name: the long way finds out
        }
      }
    }
    return true;
  }

  private static @Nullable String rebuilt(String path) {
    StringBuilder out = new StringBuilder(path.length());
    int from = 1;
    while (from <= path.length()) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      int semicolon = path.indexOf(';', from);
      String segment = path.substring(from, semicolon >= 0 && semicolon < to ? semicolon : to);
      if (segment.equals("..")) {
        if (out.length() == 0) {
          return null;
        }
        out.setLength(out.lastIndexOf("/"));
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        out.append('/').append(segment);
      }
      from = to + 1;
    }
    return out.length() == 0 ? "/" : out.toString();
  }
}
