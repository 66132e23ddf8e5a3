package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.util.List;

/** All that was counted for one key of a policy is to be forgotten. */
final class ResetCall extends Call<Boolean> {

  final Policy policy;

  ResetCall(Charge whose, String tag, long deadlineNanos) {
    super(KeyNames.keys(new String[] {tag}, List.of(whose)), deadlineNanos, false);
    this.policy = whose.policy();
  }

  @Override
  Boolean read(Figures figures, int place, int turnInGroup) {
    boolean any = false;
    for (int i = 0; i < keys.length; i++) {
      any |= figures.longAt(place + i * Figures.LONG_BYTES) > 0;
    }
    return any;
  }
}
