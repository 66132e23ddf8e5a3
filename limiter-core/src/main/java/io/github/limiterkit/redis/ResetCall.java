package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import java.util.List;

/** All that was counted for one key of a policy is to be forgotten. */
final class ResetCall extends Call<Boolean> {

  ResetCall(Charge whose, String tag, long deadlineNanos) {
    super(KeyNames.keys(new String[] {tag}, List.of(whose)), deadlineNanos, false);
  }

  @Override
  Boolean read(Figures figures, int place, int turnInGroup) {
    return figures.longAt(place) > 0;
  }
}
