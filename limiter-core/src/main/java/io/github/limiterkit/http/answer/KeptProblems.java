package io.github.limiterkit.http.answer;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bodies of refusals and keeps those of late: under attack most of them are the same,
 * and a refusal is to cost the server little. What is not kept takes the place of another, so that
 * no number of different bodies fills more than the places there are.
 *
 * <p>Safe for use by several threads.
 */
public final class KeptProblems {

  static final int PLACES = 256;

  private final Problem problem;
  private final AtomicReferenceArray<@Nullable Kept> places = new AtomicReferenceArray<>(PLACES);

  /** All that a body depends on, and the body. */
  private record Kept(
      BodyForm form,
      int status,
      long retryAfter,
      boolean hopeless,
      boolean keyless,
      List<String> names,
      String text) {

    boolean isFor(BodyForm asked, Violations violations) {
      return form == asked
          && status == violations.status()
          && retryAfter == violations.retryAfter()
          && hopeless == violations.hopeless()
          && keyless == violations.keyless()
          && names.equals(violations.names());
    }
  }

  /**
   * Creates it, empty.
   *
   * @param problem writes the bodies
   */
  public KeptProblems(Problem problem) {
    this.problem = problem;
  }

  /**
   * The same as {@link Problem#write}.
   *
   * @param form which form it is to have
   * @param violations what to say
   * @return the text, ASCII only
   */
  public String write(BodyForm form, Violations violations) {
    int place = place(form, violations);
    Kept kept = places.get(place);
    if (kept != null && kept.isFor(form, violations)) {
      return kept.text;
    }
    String text = problem.write(form, violations);
    places.set(
        place,
        new Kept(
            form,
            violations.status(),
            violations.retryAfter(),
            violations.hopeless(),
            violations.keyless(),
            violations.names(),
            text));
    return text;
  }

  /** The waits of one policy go down second by second, so they have places side by side. */
  private static int place(BodyForm form, Violations violations) {
    long place =
        31L * violations.names().hashCode()
            + form.contentType().hashCode()
            + violations.retryAfter();
    return (int) Math.floorMod(place, (long) PLACES);
  }
}
