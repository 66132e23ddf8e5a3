package io.github.limiterkit.http;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds what somebody meant who misspelt a word of the configuration. */
public final class Spelling {

  private Spelling() {}

  /**
   * The known word that is nearest.
   *
   * @param word as it was written
   * @param known the words there are
   * @return the nearest, of equally near ones the first; null if none is near
   */
  public static @Nullable String nearest(String word, Collection<String> known) {
    String written = word.toLowerCase(Locale.ROOT);
    String best = null;
    int least = Math.max(2, written.length() / 3) + 1;
    for (String candidate : known) {
      String right = candidate.toLowerCase(Locale.ROOT);
      // Whoever wrote the beginning of a word left the rest out.
      boolean begun = written.length() >= 3 && right.startsWith(written);
      int distance = begun ? 1 : distance(written, right);
      if (distance < least && distance < candidate.length()) {
        least = distance;
        best = candidate;
      }
    }
    return best;
  }

  /**
   * The end of an error message.
   *
   * @param word as it was written
   * @param known the words there are
   * @return {@code ; did you mean "..."?}, or nothing if no word is near
   */
  public static String didYouMean(String word, Collection<String> known) {
    String nearest = nearest(word, known);
    return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
  }

  /** Letters to add, drop, change or swap with their neighbour. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      cost[i][0] = i;
    }
    for (int j = 0; j <= b.length(); j++) {
      cost[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        least = Math.min(least, cost[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = least;
      }
    }
    return cost[a.length()][b.length()];
  }
}
