package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreReply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which order calls set out and their callers are told, against a server that can wait. */
class WireIT {

  private static final int CALLERS = 4;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** Nobody loses patience, so that nobody sets out behind another for that reason. */
  private static final Timing TIMING =
      new Timing(DEADLINE.toNanos(), 2 * DEADLINE.toNanos(), DEADLINE.toNanos());

  private static final Policy FIVE = Policy.named("five").limits("5/1m").build();
  private static final KeptKeys KEYS = new KeptKeys(KeyNames.readable("test"));

  /** The answer to a cargo of this test; to a decision it is none, and so fails it. */
  private static final String ONE = "*1\r\n:1\r\n";

  private final List<String> events = new ArrayList<>();
  private ScriptedServer server;
  private RedisStore settings;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer(ONE);
    settings = RedisStore.at(server.url()).deadline(DEADLINE);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void theNextBatchLeavesBeforeTheLastIsTold() {
    Wire wire = connected();
    wire.depart(new Recorded("first"));
    wire.readNext(() -> wire.depart(new Recorded("second")));
    assertThat(events).containsExactly("first leaves", "second leaves", "first is told");
    wire.readNext(null);
    assertThat(events).endsWith("second is told").hasSize(4);
    assertThat(wire.flight()).isNull();
    wire.close();
  }

  @Test
  void nothingIsSentAheadWhileOthersAreUnderWay() {
    Wire wire = connected();
    wire.depart(new Recorded("first"));
    wire.depart(new Recorded("second"));
    wire.readNext(() -> wire.depart(new Recorded("third")));
    assertThat(events).containsExactly("first leaves", "second leaves", "first is told");
    wire.readNext(() -> wire.depart(new Recorded("third")));
    assertThat(events).endsWith("third leaves", "second is told");
    wire.close();
  }

  @Test
  void aFewLoneCallersDoNotWaitForEachOther() throws Exception {
    Lane lane = new Lane(settings.node(), connected(), TIMING);
    server.holdBack();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<StoreReply>> decisions = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        String key = "k" + i;
        decisions.add(threads.submit(() -> lane.submit(decision(key))));
        int sent = i + 1;
        // Nobody is answered, and the lane has no thread that could send anything.
        await().atMost(Duration.ofSeconds(5)).until(() -> server.calls() == sent);
      }
      server.answerAll();
      for (Future<StoreReply> decision : decisions) {
        assertThatThrownBy(() -> decision.get(5, TimeUnit.SECONDS))
            .hasCauseInstanceOf(StoreException.class);
      }
    } finally {
      threads.shutdownNow();
      lane.close();
    }
  }

  /** For the thread that submits it. */
  private static DecideCall decision(String key) {
    List<Charge> charges = List.of(Charge.of(FIVE, key));
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    return new DecideCall(charges, new long[1], KEYS.of(charges), deadline, false);
  }

  private Wire connected() {
    LaneWatch watch = new LaneWatch(settings.node(), TIMING, sample -> {});
    Wire wire = new Wire(settings, TIMING, watch, sample -> {});
    wire.takeTurn();
    try {
      wire.connect();
    } finally {
      wire.endTurn();
    }
    return wire;
  }

  /** Notes when it is sent, and when whoever waits for it would be told. */
  private final class Recorded implements Cargo {

    private final String name;

    Recorded(String name) {
      this.name = name;
    }

    @Override
    public Script script() {
      return Script.FLEET;
    }

    @Override
    public byte[][] arguments(byte[] script) {
      return new byte[][] {script, {'0'}};
    }

    @Override
    public void leaves() {
      events.add(name + " leaves");
    }

    @Override
    public @Nullable StoreException settle(Object answer) {
      events.add(name + " is told");
      return null;
    }

    @Override
    public void fail(StoreException fault) {
      events.add(name + " failed: " + fault.getMessage());
    }

    @Override
    public boolean isOver(long nowNanos) {
      return false;
    }

    @Override
    public boolean isTrial() {
      return false;
    }
  }
}
