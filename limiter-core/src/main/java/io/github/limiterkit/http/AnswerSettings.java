package io.github.limiterkit.http;

import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.EpochClock;
import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.http.answer.PartitionKeys;
import io.github.limiterkit.http.answer.Problem;
import java.time.Duration;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What answers look like, as far as somebody has said it. */
final class AnswerSettings {

  long longestWait = Duration.ofDays(1).toSeconds();
  Problem problem = Problem.STANDARD;
  boolean showsSource;
  Dialect dialect = Dialect.DRAFT_11;
  LegacyFields legacy = LegacyFields.OFF;
  EpochClock clock = EpochClock.system();
  boolean exposes;
  boolean onlyClosest;
  PartitionKeys partitionKeys = PartitionKeys.NONE;
  @Nullable RefusalBody body;

  /** The most seconds that a wait is lengthened by. */
  long jitter;

  /** Gives a number from 0 to the one it is given. */
  LongUnaryOperator random = LongUnaryOperator.identity();
}
