package io.github.limiterkit.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The statuses by which an application says that an attempt failed. */
final class Failures {

  /** Every request counts, whatever the application answers. */
  static final SortedSet<Integer> NONE = Collections.emptySortedSet();

  private static final String REQUESTS = "requests";
  private static final String FAILURES = "failures";

  private static final int LEAST = 200;
  private static final int MOST = 599;

  /** Not logged in, and not allowed. */
  private static final int[] USUAL = {401, 403};

  private Failures() {}

  /** The usual ones. */
  static SortedSet<Integer> usual() {
    return of(USUAL);
  }

  /** These; at least one. */
  static SortedSet<Integer> of(int... statuses) {
    SortedSet<Integer> failures = new TreeSet<>();
    for (int status : statuses) {
      if (status < LEAST || status > MOST) {
        throw new IllegalArgumentException(
            "status %d is outside %d to %d".formatted(status, LEAST, MOST));
      }
      failures.add(status);
    }
    if (failures.isEmpty()) {
      throw new IllegalArgumentException("there is no status; write at least one, as in 401");
    }
    return Collections.unmodifiableSortedSet(failures);
  }

  /** Reads {@code requests}, {@code failures} or statuses separated by commas. */
  static SortedSet<Integer> parse(String words) {
    String text = words.strip();
    if (text.equals(REQUESTS)) {
      return NONE;
    }
    if (text.equals(FAILURES)) {
      return usual();
    }
    List<Integer> statuses = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      String status = word.strip();
      if (!status.matches("[0-9]{1,9}")) {
        throw new IllegalArgumentException(
            "there is no \"%s\"%s (%s, %s, or statuses as in 401, 403)"
                .formatted(
                    status,
                    Spelling.didYouMean(status, List.of(REQUESTS, FAILURES)),
                    REQUESTS,
                    FAILURES));
      }
      statuses.add(Integer.parseInt(status));
    }
    return of(statuses.stream().mapToInt(Integer::intValue).toArray());
  }
}
