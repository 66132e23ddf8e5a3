package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;

/**
 * The suites of this package run with several versions of Jedis. This one says with which, so that
 * a run which is meant for another version cannot pass with the usual one.
 */
class JedisVersionIT {

  @Test
  void isTheVersionThatThisRunIsMeantFor() {
    String version = JedisVersion.version(Connection.class.getClassLoader());
    System.out.println("Jedis " + version + " on Java " + Runtime.version());

    assertThat(version).isEqualTo(System.getProperty("expected.jedis", version));
  }

  @Test
  void isRecentEnough() {
    assertThatCode(JedisVersion::check).doesNotThrowAnyException();
  }
}
