package io.github.limiterkit.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what a limiter costs a server that does nothing else: each limiter on a server in a
 * process of its own, all of them under the same load tool, in turns.
 */
final class HttpRounds {

  private final Schedule schedule;
  private final int perLife;
  private final Duration warmUp;
  private final Duration length;
  private final Results results;

  /**
   * Prepares the rounds.
   *
   * @param perLife rounds for which a process serves; then each limiter has a fresh one, for the
   *     compiler does not come to quite the same end in each
   */
  HttpRounds(Schedule schedule, int perLife, Duration warmUp, Duration length, Results results) {
    this.schedule = schedule;
    this.perLife = perLife;
    this.warmUp = warmUp;
    this.length = length;
    this.results = results;
  }

  static String scenario(HttpContainer container, boolean refuses) {
    return container.title() + (refuses ? "-refused" : "-admitted");
  }

  /** Who is measured on a container. */
  static List<HttpGuard> guards(HttpContainer container) {
    List<HttpGuard> guards = new ArrayList<>(List.of(HttpGuard.PLAIN, HttpGuard.KIT));
    guards.addAll(container.own());
    return guards;
  }

  void run() throws IOException {
    for (HttpContainer container : HttpContainer.values()) {
      for (boolean refuses : new boolean[] {false, true}) {
        run(container, refuses);
      }
    }
  }

  private void run(HttpContainer container, boolean refuses) throws IOException {
    for (int round = 0; schedule.begins(round); round += perLife) {
      live(container, refuses, round);
    }
  }

  /** Starts a process for each limiter, and measures the rounds of its life. */
  private void live(HttpContainer container, boolean refuses, int first) throws IOException {
    String scenario = scenario(container, refuses);
    Map<HttpGuard, HttpServerProcess> servers = new LinkedHashMap<>();
    try {
      for (HttpGuard guard : guards(container)) {
        servers.put(guard, HttpServerProcess.start(container, guard, refuses));
      }
      for (Map.Entry<HttpGuard, HttpServerProcess> server : servers.entrySet()) {
        Wrk.Seen unused = Wrk.ask(server.getValue().port(), warmUp);
      }
      for (int round = first; round < first + perLife; round++) {
        for (Map.Entry<HttpGuard, HttpServerProcess> turn :
            Schedule.order(new ArrayList<>(servers.entrySet()), round)) {
          boolean expected = refuses && turn.getKey() != HttpGuard.PLAIN;
          results.add(scenario, turn.getKey().title(), measure(turn.getValue(), expected));
        }
        Progress.round(scenario, round);
      }
    } finally {
      servers.values().forEach(HttpServerProcess::close);
    }
  }

  private Map<Figure, Double> measure(HttpServerProcess server, boolean refuses)
      throws IOException {
    double cpu = server.cpuMicros();
    Wrk.Seen seen = Wrk.ask(server.port(), length);
    cpu = server.cpuMicros() - cpu;
    // Some admit one each second.
    long least = refuses ? seen.requests() * 99 / 100 : 0;
    long most = refuses ? seen.requests() : 0;
    if (seen.refused() < least || seen.refused() > most) {
      throw new NotLimitingException(
          "of %d requests %d were refused".formatted(seen.requests(), seen.refused()));
    }
    return Map.of(Figure.REQUESTS, seen.perSecond(), Figure.REQUEST_CPU, cpu / seen.requests());
  }
}
