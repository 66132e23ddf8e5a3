package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreListener;
import io.github.limiterkit.store.StoreReply;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A single Redis server: one node, one lane. */
final class RedisSharedStore implements SharedStore {

  private static final long CLOSE_MILLIS = 400;

  private final RedisStore settings;
  private final KeyNames keyNames;
  private final KeptKeys keys;
  private final String instance;
  private final List<Charge> probeCharges;
  private volatile @Nullable Running running;

  private record Running(Lane lane, LaneWatch watch) {}

  private RedisSharedStore(RedisStore settings, String instance) {
    this.settings = settings;
    this.keyNames = settings.keyNames();
    this.keys = new KeptKeys(keyNames);
    this.instance = instance;
    this.probeCharges = probeCharges(instance);
  }

  /**
   * Limits that are never reached, on keys of this instance, which expire soon after. Probes in a
   * row read and write in each way in which requests do: the short window is over each time and
   * begins anew, the long one has cells of a second that are added to, and the last key is never
   * there. A permission that only some of them need would have the gate flap.
   */
  private static List<Charge> probeCharges(String instance) {
    Policy probe = Policy.named("limiterkit-probe").limits("1000000/8ms, 1000000/1m").build();
    Policy absent = Policy.named("limiterkit-absent").limits("1/1m").build();
    String key = "probe:" + instance;
    return List.of(Charge.of(probe, key), new Charge(absent, key, 0));
  }

  static RedisSharedStore of(RedisStore settings) {
    return new RedisSharedStore(settings, UUID.randomUUID().toString());
  }

  @Override
  public String description() {
    return settings.toString();
  }

  @Override
  public Duration deadline() {
    return settings.deadline();
  }

  @Override
  public List<String> nodes() {
    return List.of(settings.node());
  }

  @Override
  public String nodeOf(Charge charge) {
    return settings.node();
  }

  @Override
  public synchronized void start(StoreListener listener) {
    if (running != null) {
      throw new IllegalStateException("the store " + settings + " has been started already");
    }
    Timing timing = Timing.of(settings.deadline());
    LaneWatch watch = new LaneWatch(settings.node(), timing, listener);
    Wire wire = new Wire(settings, timing, watch, listener);
    Lane lane = new Lane(settings.node(), wire, timing);
    running = new Running(lane, watch);
    lane.start();
    watch.start(List.of(lane));
  }

  @Override
  public StoreReply decide(List<Charge> charges, long[] floors, long deadlineNanos) {
    return submit(new DecideCall(charges, floors, keys.of(charges), deadlineNanos, false));
  }

  @Override
  public long[] refund(
      List<Charge> charges, long stampMillis, long[] birthsMillis, long deadlineNanos) {
    return submit(
        new RefundCall(charges, keys.of(charges), stampMillis, birthsMillis, deadlineNanos));
  }

  @Override
  public boolean reset(Policy policy, String key, long deadlineNanos) {
    Charge whose = new Charge(policy, key, 0);
    return submit(new ResetCall(policy, keys.of(List.of(whose)), deadlineNanos));
  }

  @Override
  public void probe(String node, long deadlineNanos) {
    StoreReply unused =
        submit(
            new DecideCall(probeCharges, new long[3], keys.of(probeCharges), deadlineNanos, true));
  }

  @Override
  public Fleet heartbeat(String node, long deadlineNanos) {
    return lane().submit(new Heartbeat(keyNames, instance, false, deadlineNanos));
  }

  @Override
  public void leave(String node, long deadlineNanos) {
    Fleet unused = lane().submit(new Heartbeat(keyNames, instance, true, deadlineNanos));
  }

  private <R> R submit(Call<R> call) {
    return lane().submit(call);
  }

  private Lane lane() {
    Running now = running;
    if (now == null) {
      throw new StoreException(StoreFault.UNREACHABLE, "the store is not started");
    }
    return now.lane();
  }

  @Override
  public synchronized void close() {
    Running now = running;
    if (now == null) {
      return;
    }
    now.lane().close();
    now.watch().close();
    try {
      now.lane().join(CLOSE_MILLIS);
      now.watch().join(CLOSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
