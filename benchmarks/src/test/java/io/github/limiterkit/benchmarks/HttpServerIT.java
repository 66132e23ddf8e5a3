package io.github.limiterkit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.testing.RawHttp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That each server does what is measured of it; without the load tool. */
class HttpServerIT {

  @Test
  void answersAndThenRefuses() throws Exception {
    answersAndThenRefuses(HttpContainer.JETTY, HttpGuard.KIT);
  }

  @Test
  @Tag("deep")
  void answersAndThenRefusesWhoeverStandsBeforeIt() throws Exception {
    for (HttpContainer container : HttpContainer.values()) {
      for (HttpGuard guard : HttpRounds.guards(container)) {
        answersAndThenRefuses(container, guard);
      }
    }
  }

  private static void answersAndThenRefuses(HttpContainer container, HttpGuard guard)
      throws Exception {
    try (HttpServerProcess server = HttpServerProcess.start(container, guard, true)) {
      assertThat(RawHttp.get(server.port(), "/").status()).isEqualTo(200);
      assertThat(RawHttp.get(server.port(), "/").status())
          .as("%s on %s", guard, container)
          .isEqualTo(guard == HttpGuard.PLAIN ? 200 : 429);
      assertThat(server.cpuMicros()).isPositive();
    }
  }

  @Test
  void judgesEveryContainer() {
    assertThat(CompareHttp.bars()).hasSize(3 * HttpContainer.values().length);
  }
}
