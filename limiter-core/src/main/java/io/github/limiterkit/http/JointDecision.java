package io.github.limiterkit.http;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision about all policies of a request, taken apart when one of them is to be given back by
 * itself, and not before: most never are. Safe for use by several threads.
 */
final class JointDecision {

  private final Decision whole;
  private @Nullable List<Decision> parts;

  JointDecision(Decision whole) {
    this.whole = whole;
  }

  /** What was decided about one charge alone. */
  synchronized Decision about(Charge charge) {
    if (parts == null) {
      parts = whole.split();
    }
    for (Decision part : parts) {
      if (!part.usages().isEmpty() && part.usages().get(0).charge().equals(charge)) {
        return part;
      }
    }
    return new Decision(whole.allowed(), whole.source(), List.of()); // nothing of it was counted
  }
}
