package io.github.limiterkit.http;

/** The tokens of RFC 9110: names of fields and methods. */
final class Tokens {

  private static final String OTHERS = "!#$%&'*+-.^_`|~";

  private Tokens() {}

  static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && OTHERS.indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }
}
