package io.github.limiterkit.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.Mode;
import io.github.limiterkit.Ticker;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The background thread of a node, as it waits for nothing longer than its gate says. */
@Timeout(30)
class ProberTest {

  private static final String NODE = "of-the-prober:1";
  private static final GateNumbers NUMBERS =
      new GateNumbers(Duration.ofSeconds(10), 3, 5, Duration.ofMillis(1), Duration.ofMillis(1));

  private final FakeStore store = new FakeStore(() -> 0);
  private final BlockingQueue<Transition> transitions = new LinkedBlockingQueue<>();
  private final BlockingQueue<Long> heartbeats = new LinkedBlockingQueue<>();
  private final List<StoreException> faults = new CopyOnWriteArrayList<>();
  private final HealthGate gate =
      new HealthGate(NODE, NUMBERS, Ticker.system(), () -> 1, transitions::add);
  private final Prober prober =
      new Prober(
          NODE,
          store,
          gate,
          new DegradedListener() {
            @Override
            public void fault(String node, StoreException fault) {
              faults.add(fault);
            }
          },
          () -> heartbeats.add(System.nanoTime()));

  @AfterEach
  void close() throws InterruptedException {
    prober.close();
    prober.join(10_000);
  }

  @Test
  void opensTheGateOfANodeThatAnswersAndSaysThatItIsThere() throws InterruptedException {
    prober.start();
    awaitMode(Mode.SHARED);
    assertThat(heartbeats.poll(10, TimeUnit.SECONDS)).isNotNull();
    assertThat(faults).isEmpty();
  }

  @Test
  void saysOnceASecondThatItIsThere() throws InterruptedException {
    prober.start();
    Long first = heartbeats.poll(10, TimeUnit.SECONDS);
    Long second = heartbeats.poll(10, TimeUnit.SECONDS);
    assertThat(first).isNotNull();
    assertThat(second).isNotNull();
    assertThat(second - first).isGreaterThan(Duration.ofMillis(990).toNanos());
  }

  @Test
  void hurriesOnceAfterAHeartbeatThatWasLost() {
    Duration deadline = Duration.ofMillis(50);
    Duration second = Duration.ofSeconds(1);
    assertThat(rest(true, true, deadline)).isEqualTo(second);
    assertThat(rest(true, false, deadline)).isEqualTo(Duration.ofMillis(850));
    assertThat(rest(false, false, deadline)).isEqualTo(second);
    assertThat(rest(false, true, deadline)).isEqualTo(second);
    assertThat(rest(true, false, second)).isEqualTo(Duration.ofMillis(100));
  }

  private static Duration rest(boolean before, boolean heard, Duration deadline) {
    return Duration.ofNanos(Prober.restNanos(before, heard, deadline));
  }

  @Test
  void triesOnAndTellsWhy() throws InterruptedException {
    store.fault = StoreFault.LOADING;
    prober.start();
    while (faults.size() < 3) {
      Thread.onSpinWait();
    }
    assertThat(faults).allMatch(fault -> fault.fault() == StoreFault.LOADING);
    assertThat(gate.isOpen()).isFalse();
    assertThat(heartbeats).isEmpty();
    store.fault = null;
    awaitMode(Mode.SHARED);
  }

  @Test
  void doesNotWaitForASecondWhenTheGateShuts() throws InterruptedException {
    prober.start();
    awaitMode(Mode.SHARED);
    assertThat(heartbeats.poll(10, TimeUnit.SECONDS)).isNotNull();
    gate.sample(Samples.failed(StoreFault.READONLY));
    prober.wake();
    awaitMode(Mode.DEGRADED);
    awaitMode(Mode.SHARED);
    assertThat(heartbeats.poll(10, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void endsWhenItIsClosedAndProbesNoMore() throws InterruptedException {
    prober.start();
    awaitMode(Mode.SHARED);
    prober.close();
    prober.join(10_000);
    gate.sample(Samples.failed(StoreFault.READONLY));
    prober.wake();
    assertThat(gate.isOpen()).isFalse();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("limiterkit-probe-" + NODE));
  }

  private void awaitMode(Mode mode) throws InterruptedException {
    @Nullable Transition next;
    do {
      next = transitions.poll(10, TimeUnit.SECONDS);
      assertThat(next).as("a transition to %s", mode).isNotNull();
    } while (next.to() != mode);
  }
}
