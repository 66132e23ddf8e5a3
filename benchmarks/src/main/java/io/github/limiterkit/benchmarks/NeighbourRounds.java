package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Measures what a hot key costs all others: how long some callers wait who ask for a thousand keys,
 * beside {@value #CROWD} callers who all ask for one key, and beside as many who ask for many keys.
 * Both load the machine as much, so what differs is that the key is hot.
 */
final class NeighbourRounds {

  static final String NAME = "beside-hot-64";

  /** The other case; that of the hot key is the kit itself. */
  static final String BESIDE_MANY = "kit-beside-many";

  private static final int CROWD = 64;
  private static final int CROWDS_MANY_KEYS = 10_000;
  private static final int NEIGHBOURS = 8;
  private static final int NEIGHBOURS_KEYS = 1_000;

  private final Settings settings;
  private final Schedule schedule;
  private final Results results;
  private final RedisServer server;

  NeighbourRounds(Settings settings, Schedule schedule, Results results, RedisServer server) {
    this.settings = settings;
    this.schedule = schedule;
    this.results = results;
    this.server = server;
  }

  void run() {
    if (!settings.runs(NAME)) {
      return;
    }
    server.command("FLUSHALL");
    List<String> cases = List.of(Contenders.KIT, BESIDE_MANY);
    try (SharedContender kit =
        SharedLimiters.create(Contenders.KIT, server, Quota.ROOMY, CROWD + NEIGHBOURS)) {
      cases.forEach(name -> ask(kit, name, settings.sharedWarmUp(), -1));
      for (int round = 0; schedule.begins(round); round++) {
        for (String name : Schedule.order(cases, round)) {
          results.add(NAME, name, figures(measure(kit, name, round)));
        }
        Progress.round(NAME, round);
      }
    }
  }

  private Callers.Seen measure(SharedContender kit, String name, int round) {
    for (int i = 0; i < SharedRounds.TRIES; i++) {
      long local = kit.decidedWithoutServer();
      Callers.Seen seen = ask(kit, name, settings.sharedRound(), round);
      if (kit.decidedWithoutServer() == local) {
        return seen;
      }
      Progress.say(NAME + ": once more, " + name + " lost the server for a moment");
      Pause.millis(2000);
    }
    throw new NotLimitingException("the kit decided without the server, round after round");
  }

  private static Callers.Seen ask(SharedContender kit, String name, Duration time, int round) {
    int keysOfCrowd = name.equals(Contenders.KIT) ? 1 : CROWDS_MANY_KEYS;
    Callers crowd = callers(kit, CROWD, keysOfCrowd, "crowd:");
    Callers neighbours = callers(kit, NEIGHBOURS, NEIGHBOURS_KEYS, "");
    CompletableFuture<Callers.Seen> meanwhile =
        CompletableFuture.supplyAsync(() -> crowd.ask(time, round));
    Callers.Seen seen = neighbours.ask(time, round);
    Proof.nothingRefused(name, seen.decisions() - seen.admitted());
    Callers.Seen ofCrowd = meanwhile.join();
    Proof.nothingRefused(name, ofCrowd.decisions() - ofCrowd.admitted());
    return seen;
  }

  private static Callers callers(SharedContender kit, int threads, int keys, String prefix) {
    SharedLoad load = new SharedLoad(NAME, threads, keys, Quota.ROOMY, Duration.ZERO, true);
    String[] names = Keys.named(keys);
    for (int i = 0; i < names.length; i++) {
      names[i] = prefix + names[i];
    }
    return new Callers(load, kit, names);
  }

  private static Map<Figure, Double> figures(Callers.Seen seen) {
    return Map.of(
        Figure.RATE, seen.rate(), Figure.P50, seen.p50Micros(), Figure.P99, seen.p99Micros());
  }
}
