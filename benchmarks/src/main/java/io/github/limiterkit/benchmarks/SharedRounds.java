package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer;
import io.github.limiterkit.testing.RedisServer.CommandCount;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what counts in Redis: all contenders against one server, from one JVM, in turns. Each is
 * created and warmed up before the first round and keeps its connections until the last.
 */
final class SharedRounds {

  /** A stall of the machine may shut the kit's gate; more than that is a fault of the kit. */
  static final int TRIES = 3;

  private final Settings settings;
  private final Schedule schedule;
  private final Results results;
  private final RedisServer server;

  SharedRounds(Settings settings, Schedule schedule, Results results, RedisServer server) {
    this.settings = settings;
    this.schedule = schedule;
    this.results = results;
    this.server = server;
  }

  void run() {
    server.command("FLUSHALL");
    SharedLimiters.all().forEach(this::prove);
    for (SharedLoad load : SharedLoad.ALL) {
      if (settings.runs(load.name())) {
        run(load);
      }
    }
  }

  private void run(SharedLoad load) {
    List<String> names = SharedLimiters.of(load);
    server.command("FLUSHALL");
    Map<String, Turn> turns = new LinkedHashMap<>();
    try {
      for (String name : names) {
        turns.put(name, new Turn(name, load));
      }
      turns.values().forEach(Turn::warmUp);
      for (int round = 0; schedule.begins(round); round++) {
        for (String name : Schedule.order(names, round)) {
          Turn turn = turns.get(name);
          if (turn != null) {
            results.add(load.name(), name, turn.measure(round));
          }
        }
        Progress.round(load.name(), round);
      }
    } finally {
      turns.values().forEach(turn -> turn.contender.close());
    }
  }

  private void prove(String name) {
    try (SharedContender contender = SharedLimiters.create(name, server, Quota.SCARCE, 1)) {
      Proof.limits(name, contender::admits);
      if (contender.decidedWithoutServer() > 0) {
        throw new NotLimitingException(name + " decided without the server");
      }
    }
  }

  /** One contender under one load. */
  private final class Turn {

    private final String name;
    private final SharedLoad load;
    private final SharedContender contender;
    private final String[] keys;
    private final long began = System.nanoTime();
    private long admittedInAll;

    Turn(String name, SharedLoad load) {
      this.name = name;
      this.load = load;
      this.contender = SharedLimiters.create(name, server, load.quota(), load.threads());
      this.keys = Keys.named(load.keys());
    }

    /**
     * Where callers pause between decisions there would be too few of them: the compiler, and the
     * connections, are to be as far as they are in a service that has run for an hour.
     */
    void warmUp() {
      new Callers(load.withoutPauses(), contender, keys).ask(settings.sharedWarmUp(), -1);
      if (load.isLight()) {
        callers().ask(settings.sharedWarmUp(), -2);
      }
    }

    private Callers callers() {
      return new Callers(load, contender, keys);
    }

    Map<Figure, Double> measure(int round) {
      for (int i = 0; i < TRIES; i++) {
        long local = contender.decidedWithoutServer();
        Map<Figure, Double> figures = measureOnce(settings.sharedRound(), round);
        if (contender.decidedWithoutServer() == local) {
          return figures;
        }
        Progress.say(load.name() + ": once more, " + name + " lost the server for a moment");
        // Long enough for its gate to open again.
        Pause.millis(2000);
      }
      throw new NotLimitingException(name + " decided without the server, round after round");
    }

    private Map<Figure, Double> measureOnce(Duration duration, int round) {
      // What the one before left behind is not this one's to clear away.
      System.gc();
      Map<String, CommandCount> commands = server.commandStats();
      double serverCpu = ServerFigures.cpuMicros(server);
      double clientCpu = ClientFigures.cpuMicros();
      Map<Long, Long> allocated = ClientFigures.allocatedByThread();
      Callers.Seen seen = callers().ask(duration, round);
      double bytes = seen.allocated() + ClientFigures.allocatedSince(allocated);
      clientCpu = ClientFigures.cpuMicros() - clientCpu;
      serverCpu = ServerFigures.cpuMicros(server) - serverCpu;
      commands = ServerFigures.difference(commands, server.commandStats());
      check(seen);

      double decisions = seen.decisions();
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      figures.put(Figure.RATE, seen.rate());
      figures.put(Figure.COMMANDS, contender.commands(commands) / decisions);
      figures.put(Figure.SERVER_CPU, serverCpu / decisions);
      figures.put(Figure.CLIENT_CPU, clientCpu / decisions);
      figures.put(Figure.ALLOCATED, bytes / decisions);
      if (load.timed()) {
        figures.put(Figure.P50, seen.p50Micros());
        figures.put(Figure.P99, seen.p99Micros());
      }
      return figures;
    }

    private void check(Callers.Seen seen) {
      if (load.refuses()) {
        admittedInAll += seen.admitted();
        double seconds = (System.nanoTime() - began) / 1e9;
        Proof.admittedOf(name, load.quota(), 0, admittedInAll, seconds);
      } else {
        Proof.nothingRefused(name, seen.decisions() - seen.admitted());
      }
    }
  }
}
