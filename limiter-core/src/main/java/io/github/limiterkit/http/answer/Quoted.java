package io.github.limiterkit.http.answer;

/** Finds separators in fields whose quoted strings may contain them. */
final class Quoted {

  private Quoted() {}

  /** The index of the next separator outside of a quoted string, or the length of the text. */
  static int end(String text, int from, char separator) {
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i++;
      } else if (c == separator && !quoted) {
        return i;
      }
    }
    return text.length();
  }
}
