package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.testing.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** The script that counts instances, on a real server at times that a test chooses. */
class FleetScriptIT {

  private static final long NOW = 1_700_000_000_000L;
  private static final long HOUR = 3_600_000;

  private static RedisServer redis;
  private static Link link;
  private final KeyNames keyNames = KeyNames.readable("shop");

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    link = Link.open(RedisStore.at(redis.url()), 5_000, socket -> {});
  }

  @AfterAll
  static void stop() {
    link.close();
    redis.close();
  }

  @AfterEach
  void forget() {
    redis.command("FLUSHALL");
  }

  @Test
  void countsEachInstanceOnce() {
    assertThat(here("a", NOW)).isEqualTo(new Fleet(1, 0, 1));
    assertThat(here("b", NOW)).isEqualTo(new Fleet(2, 0, 2));
    assertThat(here("a", NOW + 1_000)).isEqualTo(new Fleet(2, 0, 2));
  }

  @Test
  void missesWhoIsSilentForThreeSeconds() {
    here("a", NOW);
    assertThat(here("b", NOW + 2_999)).isEqualTo(new Fleet(2, 0, 2));
    assertThat(here("b", NOW + 3_000)).isEqualTo(new Fleet(1, 1, 2));
  }

  @Test
  void missesNobodyForLongerThanAnHour() {
    here("a", NOW);
    assertThat(here("b", NOW + HOUR - 1).missing()).isEqualTo(1);
    assertThat(here("b", NOW + HOUR).missing()).isZero();
  }

  @Test
  void doesNotMissWhoLeft() {
    here("a", NOW);
    here("b", NOW);
    assertThat(beat("a", true, NOW + 1)).isEqualTo(new Fleet(1, 0, 2));
    assertThat(here("b", NOW + 5_000)).isEqualTo(new Fleet(1, 0, 2));
  }

  @Test
  void remembersForAnHourHowManyThereWereAtOnce() {
    here("a", NOW);
    here("b", NOW);
    here("c", NOW);
    beat("b", true, NOW);
    beat("c", true, NOW);
    assertThat(here("a", NOW + HOUR - 1).most()).isEqualTo(3);
    assertThat(here("a", NOW + HOUR).most()).isEqualTo(1);
  }

  @Test
  void keepsNoNumberThatCanNeverBeTheMostAgain() {
    for (int i = 0; i < 20; i++) {
      here("instance-" + i, NOW + i);
    }
    assertThat(redis.command("ZRANGE", keyNames.fleet("sizes"), "0", "-1")).isEqualTo("20");
    beat("instance-3", true, NOW + 20);
    here("instance-0", NOW + 21);
    assertThat(redis.command("ZRANGE", keyNames.fleet("sizes"), "0", "-1").lines())
        .containsExactlyInAnyOrder("20", "19");
    assertThat(here("instance-0", NOW + HOUR + 18).most()).isEqualTo(20);
  }

  @Test
  void aRollingRestartIsNotALargerFleet() {
    for (int i = 0; i < 20; i++) {
      long now = NOW + 5_000L * i;
      here("old-" + i, now);
      here("stays", now);
    }
    Fleet fleet = here("stays", NOW + 100_000);
    assertThat(fleet.most()).isEqualTo(2);
    assertThat(fleet.missing()).isEqualTo(20);
  }

  @Test
  void theSilentDoNotComeAliveWhenTheClockStepsBack() {
    here("a", NOW);
    here("b", NOW);
    assertThat(here("b", NOW - HOUR)).isEqualTo(new Fleet(2, 0, 2));
    assertThat(here("b", NOW - HOUR + 3_000)).isEqualTo(new Fleet(1, 1, 2));
  }

  @Test
  void replacesWhatItCannotRead() {
    redis.command("SET", keyNames.fleet("instances"), "x");
    redis.command("SET", keyNames.fleet("sizes"), "x");
    assertThat(here("a", NOW)).isEqualTo(new Fleet(1, 0, 1));
    assertThat(here("b", NOW)).isEqualTo(new Fleet(2, 0, 2));
  }

  @Test
  void everyKeyExpires() {
    here("a", NOW);
    String keys = redis.command("KEYS", "*");
    assertThat(keys.lines()).hasSize(2).allMatch(key -> key.startsWith("{shop:"));
    keys.lines()
        .forEach(
            key ->
                assertThat(Long.parseLong(redis.command("PTTL", key)))
                    .isBetween(HOUR, HOUR + 60_000));
  }

  @Test
  void saysWhatTheServerSaysWhenItTakesNoWrites() {
    redis.command("CONFIG", "SET", "maxmemory", "1");
    try {
      assertThatThrownBy(() -> here("a", NOW))
          .isInstanceOf(JedisDataException.class)
          .hasMessageContaining("OOM");
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  /** The figure is that of the page on large fleets. */
  @Test
  @Tag("deep")
  void aThousandInstancesCostTheServerLittle() {
    for (int second = 0; second < 10; second++) {
      if (second == 5) {
        redis.command("CONFIG", "RESETSTAT");
      }
      for (int i = 0; i < 1_000; i++) {
        here("instance-" + i, NOW + second * 1_000L + i);
      }
    }
    double micros =
        redis
            .command("INFO", "commandstats")
            .lines()
            .filter(line -> line.startsWith("cmdstat_evalsha:"))
            .map(line -> line.replaceAll(".*usec_per_call=([0-9.]+).*", "$1"))
            .mapToDouble(Double::parseDouble)
            .sum();
    System.out.printf("A heartbeat among 1,000 instances takes the server %.0f µs%n", micros);
    assertThat(micros).isPositive().isLessThan(1_000);
  }

  private Fleet here(String instance, long now) {
    return beat(instance, false, now);
  }

  private Fleet beat(String instance, boolean leaves, long now) {
    Heartbeat beat = new Heartbeat(keyNames, instance, leaves, System.nanoTime());
    link.send(Command.EVALSHA, beat.arguments(Script.FLEET.sha(), Long.toString(now)));
    return Heartbeat.read(link.read(PatientSocket.NEVER));
  }
}
