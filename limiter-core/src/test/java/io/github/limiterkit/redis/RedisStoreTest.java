package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisStoreTest {

  @Test
  void readsEveryPartOfTheUrl() {
    RedisStore store = RedisStore.at("rediss://shop:p%40ss%3A%2F+1@redis.example:6380/3");
    assertThat(store.url().host()).isEqualTo("redis.example");
    assertThat(store.url().port()).isEqualTo(6380);
    assertThat(store.url().tls()).isTrue();
    assertThat(store.url().user()).isEqualTo("shop");
    assertThat(store.password()).isEqualTo("p@ss:/+1");
    assertThat(store.url().database()).isEqualTo(3);
  }

  @Test
  void fillsInWhatTheUrlLeavesOut() {
    RedisStore store = RedisStore.at("redis://localhost");
    assertThat(store.url().port()).isEqualTo(6379);
    assertThat(store.url().tls()).isFalse();
    assertThat(store.url().user()).isNull();
    assertThat(store.password()).isNull();
    assertThat(store.url().database()).isZero();
    assertThat(store.namespace()).isEqualTo("limiterkit");
    assertThat(store.deadline()).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void understandsAPasswordWithoutAUserAndIpv6() {
    RedisStore store = RedisStore.at("redis://:secret@[::1]:7000");
    assertThat(store.url().user()).isNull();
    assertThat(store.password()).isEqualTo("secret");
    assertThat(store.url().host()).isEqualTo("::1");
    assertThat(store.toString()).isEqualTo("redis://[::1]:7000");
  }

  @Test
  void understandsTheNamesOfContainers() {
    RedisStore store = RedisStore.at("redis://shop:secret@my_redis_1:6380/2");
    assertThat(store.url().host()).isEqualTo("my_redis_1");
    assertThat(store.url().user()).isEqualTo("shop");
    assertThat(store.password()).isEqualTo("secret");
    assertThat(store.toString()).isEqualTo("redis://my_redis_1:6380/2");
  }

  @Test
  @DisplayName("ST-025: no password in any text")
  void showsNoSecret() {
    RedisStore store =
        RedisStore.at("redis://shop:hunter2@localhost:6379/1").keySecret(new byte[9]);
    assertThat(store.toString()).isEqualTo("redis://localhost:6379/1");
    assertThatThrownBy(() -> RedisStore.at("http://shop:hunter2@localhost"))
        .hasMessageContaining("localhost")
        .hasMessageNotContaining("hunter2");
    assertThatThrownBy(() -> RedisStore.at("redis://shop:hunter2@local host"))
        .hasMessageContaining("redis://host:6379")
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
    assertThatThrownBy(() -> RedisStore.at("redis://localhost?password=hunter2"))
        .hasMessageContaining("redis://user:password@host")
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "localhost:6379         | redis://host:6379",
        "http://localhost:6379  | redis://host:6379",
        "redis://               | redis://host:6379",
        "redis://localhost:0    | port 0 is outside 1 to 65535",
        "redis://localhost:70000 | port 70000",
        "redis://localhost/x    | database \"x\"",
        "redis://localhost/-1   | database \"-1\"",
        "redis://localhost?db=3 | nothing may follow",
      })
  void refusesWhatIsNoUrlOfARedis(String url, String told) {
    assertThatThrownBy(() -> RedisStore.at(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(url.replaceFirst("[?].*", ""))
        .hasMessageContaining(told);
  }

  @Test
  void refusesSettingsOutOfRange() {
    RedisStore store = RedisStore.at("redis://localhost");
    assertThatThrownBy(() -> store.deadline(Duration.ZERO)).hasMessageContaining("1ms to 10s");
    assertThatThrownBy(() -> store.deadline(Duration.ofSeconds(11))).hasMessageContaining("PT11S");
    assertThatThrownBy(() -> store.namespace("a:b")).hasMessageContaining("\"a:b\"");
    assertThatThrownBy(() -> store.namespace("")).hasMessageContaining("namespace");
    assertThatThrownBy(() -> store.keySecret(new byte[0])).hasMessageContaining("empty");
  }
}
