package io.github.limiterkit.redis;

import io.github.limiterkit.Policy;

/** All that was counted for one key of a policy is to be forgotten. */
final class ResetCall extends Call<Boolean> {

  final Policy policy;

  ResetCall(Policy policy, SubjectKeys[] whose, long deadlineNanos) {
    super(SubjectKeys.keys(whose), deadlineNanos, false);
    this.policy = policy;
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
