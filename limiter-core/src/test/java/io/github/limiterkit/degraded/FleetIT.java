package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Source;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Durations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Instances that see each other on a real server. */
class FleetIT {

  private static final Policy HUNDRED = Policy.named("hundred").limits("100/1m").build();

  private final List<DegradedLimiter> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(DegradedLimiter::close);
  }

  @Test
  void divideByAsManyAsThereAre() {
    try (RedisServer redis = RedisServer.start()) {
      DegradedLimiter one = start(redis.url());
      DegradedLimiter other = start(redis.url());
      await().until(() -> one.fleetSize() == 2 && other.fleetSize() == 2);

      redis.kill();

      await()
          .until(
              () -> one.acquire(Charge.of(HUNDRED, "a")).usages().get(0).source() == Source.LOCAL);
      assertThat(one.acquire(Charge.of(HUNDRED, "b")).usages().get(0).quota()).isEqualTo(50);
      assertThat(one.fleetSize()).as("frozen while the store is lost").isEqualTo(2);
    }
  }

  @Test
  void doNotMissWhoLeftAndMissWhoWasCutOff() throws IOException {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      DegradedLimiter stays = start(redis.url());
      DegradedLimiter leaves = start(redis.url());
      DegradedLimiter isCutOff = start(proxy.url());
      await().until(() -> stays.fleetSize() == 3);

      leaves.close();
      assertThat(instances(redis)).as("at once, not after a silence").isEqualTo(2);
      assertThat(stays.missingInstances()).isZero();
      proxy.refuse();

      await().atMost(Durations.TEN_SECONDS).until(() -> stays.missingInstances() == 1);
      assertThat(stays.fleetSize()).isEqualTo(3);
      assertThat(isCutOff.mode()).isNotEqualTo(Mode.SHARED);
    }
  }

  /** Without traffic too, a lost connection is noticed and replaced. */
  @Test
  void theFirstCallerAfterASilenceDoesNotMeetADeadSocket() throws IOException {
    try (RedisServer redis = RedisServer.start()) {
      AtomicInteger heartbeats = new AtomicInteger();
      DegradedLimiter limiter =
          start(
              redis.url(),
              new DegradedListener() {
                @Override
                public void heartbeat(String node, Fleet fleet) {
                  heartbeats.incrementAndGet();
                }
              });
      await().until(() -> heartbeats.get() > 0);
      redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      int before = heartbeats.get();
      await().until(() -> heartbeats.get() > before);

      assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).source()).isEqualTo(Source.SHARED);
    }
  }

  /** A user's rights from before there were heartbeats still limit together. */
  @Test
  void whoMayNotBeatDecidesInTheStoreAllTheSame() {
    try (RedisServer redis = RedisServer.start()) {
      redis.command(
          "ACL", "SETUSER", "old", "on", ">pw", "~*", "+@all", "-zadd", "-zrem", "-zcount");
      List<StoreFault> failed = new ArrayList<>();
      DegradedLimiter limiter =
          start(
              redis.url().replace("redis://", "redis://old:pw@"),
              new DegradedListener() {
                @Override
                public void heartbeatFailed(String node, StoreException failure) {
                  failed.add(failure.fault());
                }
              });
      await().until(() -> failed.size() > 1);

      assertThat(failed).containsOnly(StoreFault.PERMISSION);
      assertThat(limiter.mode()).isEqualTo(Mode.SHARED);
      assertThat(limiter.acquire(Charge.of(HUNDRED, "a")).source()).isEqualTo(Source.SHARED);
    }
  }

  private static long instances(RedisServer redis) {
    return Long.parseLong(redis.command("ZCARD", "{limiterkit:limiterkit-fleet:}:1:instances"));
  }

  private DegradedLimiter start(String url) {
    return start(url, DegradedListener.NONE);
  }

  private DegradedLimiter start(String url, DegradedListener listener) {
    DegradedLimiter limiter =
        DegradedLimiter.over(RedisStore.at(url).deadline(Duration.ofMillis(200)).open())
            .listener(listener)
            .build();
    started.add(limiter);
    limiter.start();
    await().until(() -> limiter.mode() == Mode.SHARED);
    return limiter;
  }
}
