package io.github.limiterkit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WrkTest {

  private static final String SEEN =
      """
      Running 3s test @ http://127.0.0.1:8080/
        1 threads and 16 connections
        Thread Stats   Avg      Stdev     Max   +/- Stdev
          Latency   611.84us    0.98ms  24.31ms   92.13%%
          Req/Sec    36.03k     4.40k   43.22k    73.33%%
        107546 requests in 3.00s, 12.31MB read
      %sRequests/sec:  35840.62
      Transfer/sec:      4.10MB
      """;

  @Test
  void readsHowManyRequestsThereWere() {
    assertThat(Wrk.parse(SEEN.formatted(""))).isEqualTo(new Wrk.Seen(107_546, 0, 35_840.62));
  }

  @Test
  void readsHowManyWereRefused() {
    assertThat(Wrk.parse(SEEN.formatted("  Non-2xx or 3xx responses: 107546\n")))
        .isEqualTo(new Wrk.Seen(107_546, 107_546, 35_840.62));
  }

  @Test
  void refusesARunThatLostConnections() {
    String broken = SEEN.formatted("  Socket errors: connect 0, read 5, write 0, timeout 0\n");
    assertThatThrownBy(() -> Wrk.parse(broken)).hasMessageContaining("lost connections");
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThatThrownBy(() -> Wrk.parse("unable to connect")).hasMessageContaining("unable");
  }
}
