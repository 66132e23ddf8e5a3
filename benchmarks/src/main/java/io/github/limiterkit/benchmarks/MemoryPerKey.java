package io.github.limiterkit.benchmarks;

import io.github.limiterkit.testing.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.openjdk.jmh.infra.Blackhole;

/** Measures what a key costs that has been charged once. The text of the key is not counted. */
final class MemoryPerKey {

  static final String IN_REDIS = "memory-redis";
  static final String IN_HEAP = "memory-local";

  private static final int THREADS = 32;

  private final Settings settings;
  private final Results results;
  private final RedisServer server;

  MemoryPerKey(Settings settings, Results results, RedisServer server) {
    this.settings = settings;
    this.results = results;
    this.server = server;
  }

  void run() {
    String[] keys = Keys.named(settings.memoryKeys());
    if (settings.runs(IN_HEAP)) {
      for (String name : LocalLimiters.chosen(settings.localPeers(), IN_HEAP)) {
        if (!name.equals(Contenders.FLOOR)) {
          results.add(IN_HEAP, name, Map.of(Figure.MEMORY, inHeap(name, keys)));
        }
      }
      Progress.say(IN_HEAP + ": done");
    }
    if (settings.runs(IN_REDIS)) {
      for (String name : List.of(Contenders.KIT, Contenders.EVALSHA, Contenders.BUCKET4J)) {
        results.add(IN_REDIS, name, Map.of(Figure.MEMORY, inRedis(name, keys)));
      }
      Progress.say(IN_REDIS + ": done");
    }
  }

  private static double inHeap(String name, String[] keys) {
    Blackhole sink =
        new Blackhole(
            "Today's password is swordfish. I understand instantiating Blackholes directly is"
                + " dangerous.");
    long before = usedHeap();
    try (LocalContender contender = LocalLimiters.create(name, Quota.ROOMY, keys.length)) {
      for (String key : keys) {
        contender.admits(key, sink);
      }
      double grown = usedHeap() - before;
      // Keeps it alive until here.
      contender.admits(keys[0], sink);
      return grown / keys.length;
    }
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 2; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  private double inRedis(String name, String[] keys) {
    server.command("FLUSHALL");
    try (SharedContender contender = SharedLimiters.create(name, server, Quota.ROOMY, THREADS)) {
      // The connections are made now, so what they hold is not counted as keys.
      askForEach(contender, Collections.nCopies(10 * THREADS, "warm-up").toArray(String[]::new));
      long before = ServerFigures.usedMemory(server);
      askForEach(contender, keys);
      return (ServerFigures.usedMemory(server) - before) / (double) keys.length;
    } finally {
      server.command("FLUSHALL");
    }
  }

  private static void askForEach(SharedContender contender, String[] keys) {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int part = 0; part < THREADS; part++) {
        int first = part;
        parts.add(
            executor.submit(
                () -> {
                  for (int i = first; i < keys.length; i += THREADS) {
                    contender.admits(keys[i]);
                  }
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (InterruptedException | ExecutionException failed) {
      throw new IllegalStateException("could not fill the server", failed);
    } finally {
      executor.shutdownNow();
    }
  }
}
