package io.github.limiterkit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.testing.RawHttp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That each server does what is measured of it; without the load tool. */
class HttpServerIT {

  @Test
  void answersAndThenRefuses() throws Exception {
    for (HttpContainer container : HttpContainer.values()) {
      List<HttpGuard> guards = new ArrayList<>(List.of(HttpGuard.PLAIN, HttpGuard.KIT));
      guards.addAll(container.own());
      for (HttpGuard guard : guards) {
        try (HttpServerProcess server = HttpServerProcess.start(container, guard, true)) {
          assertThat(RawHttp.get(server.port(), "/").status()).isEqualTo(200);
          assertThat(RawHttp.get(server.port(), "/").status())
              .as("%s on %s", guard, container)
              .isEqualTo(guard == HttpGuard.PLAIN ? 200 : 429);
          assertThat(server.cpuMicros()).isPositive();
        }
      }
    }
  }

  @Test
  void judgesEveryContainer() {
    assertThat(CompareHttp.bars()).hasSize(3 * HttpContainer.values().length);
  }
}
