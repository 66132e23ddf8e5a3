package io.github.limiterkit.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * One decision of a limiter in memory. Public and not final because the harness extends it; who
 * asks for a measurement is {@link LocalRounds}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init") // The harness fills in what it has to before it measures.
public class LocalBenchmark {

  /** Who is measured: the name of a contender. */
  @Param("kit")
  public String contender;

  /** What is asked of it: the name of a scenario. */
  @Param("local-hot-1")
  public String load;

  private String[] keys;
  private LocalContender limiter;

  /** Creates the contender, has it prove that it limits, and makes all keys known to it. */
  @Setup(Level.Trial)
  public void setUp(Blackhole sink) {
    LocalLoad asked = LocalLoad.named(load);
    try (LocalContender proving = LocalLimiters.create(contender, Quota.SCARCE, 1)) {
      if (!contender.equals(Contenders.FLOOR)) {
        Proof.limits(contender, key -> proving.admits(key, sink));
      }
    }
    limiter = LocalLimiters.create(contender, asked.quota(), asked.keys());
    keys = Keys.named(asked.keys());
    for (String key : keys) {
      sink.consume(limiter.admits(key, sink));
    }
  }

  /** Stops what the contender started. */
  @TearDown(Level.Trial)
  public void tearDown() {
    limiter.close();
  }

  /** Asks for one unit. */
  @Benchmark
  public boolean decide(Picks picks, Outcomes outcomes, Blackhole sink) {
    boolean admitted = limiter.admits(keys[picks.next()], sink);
    if (admitted) {
      outcomes.admitted++;
    } else {
      outcomes.refused++;
    }
    return admitted;
  }

  /** What a thread was answered; the harness reads and clears it after each iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Outcomes {

    /** Decisions that were yes. */
    public long admitted;

    /** Decisions that were no. */
    public long refused;
  }

  /** Which keys a thread asks for, made beforehand so that choosing costs next to nothing. */
  @State(Scope.Thread)
  public static class Picks {

    private static final int COUNT = 1 << 18;

    private int[] picks;
    private int at;

    /** Makes the picks of one thread. */
    @Setup(Level.Trial)
    public void setUp(LocalBenchmark benchmark, ThreadParams thread) {
      int keys = benchmark.keys.length;
      picks = keys == 1 ? new int[COUNT] : Keys.zipf(keys, COUNT, thread.getThreadIndex());
    }

    int next() {
      return picks[at++ & (COUNT - 1)];
    }
  }
}
