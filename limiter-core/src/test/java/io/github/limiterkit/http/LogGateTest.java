package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogGateTest {

  @Test
  @DisplayName("OP-12, HT-156: one line a minute, and it tells how many were kept back")
  void passesOneLineAMinute() {
    FakeTicker ticker = new FakeTicker();
    ticker.advance(Duration.ofNanos(Long.MAX_VALUE));
    LogGate gate = new LogGate(ticker::read);

    assertThat(gate.pass()).isZero();
    for (int i = 0; i < 7; i++) {
      ticker.advance(Duration.ofSeconds(8));
      assertThat(gate.pass()).isEqualTo(-1);
    }
    ticker.advance(Duration.ofSeconds(4));
    assertThat(gate.pass()).isEqualTo(7);
    assertThat(gate.pass()).isEqualTo(-1);
  }
}
