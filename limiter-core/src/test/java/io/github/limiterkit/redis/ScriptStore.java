package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.testing.OneNodeStore;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** The script on a real server as a shared store, on a clock that a test moves. */
public final class ScriptStore implements OneNodeStore {

  private final ScriptCounter script;
  private final LongSupplier clockMillis;

  ScriptStore(ScriptCounter script, LongSupplier clockMillis) {
    this.script = script;
    this.clockMillis = clockMillis;
  }

  /**
   * Connects to a server; closing the store ends the connection.
   *
   * @param url of the server
   * @param clockMillis the time at which each call is decided
   * @return a store for a limiter of the caller's
   */
  public static ScriptStore at(String url, LongSupplier clockMillis) {
    return new ScriptStore(new ScriptCounter(url), clockMillis);
  }

  @Override
  public synchronized StoreReply decide(List<Charge> charges, long[] floors, long deadlineNanos) {
    return script.decide(charges, floors, clockMillis.getAsLong());
  }

  @Override
  public synchronized long[] refund(
      List<Charge> charges, long stampMillis, long[] birthsMillis, long deadlineNanos) {
    return script.refund(charges, stampMillis, birthsMillis, clockMillis.getAsLong());
  }

  @Override
  public synchronized boolean reset(Policy policy, String key, long deadlineNanos) {
    return script.reset(policy, key, clockMillis.getAsLong());
  }

  @Override
  public String node() {
    return "script";
  }

  @Override
  public Duration deadline() {
    return Duration.ofSeconds(5);
  }

  @Override
  public Fleet heartbeat(String node, long deadlineNanos) {
    return new Fleet(1, 0, 1);
  }

  @Override
  public synchronized void close() {
    script.close();
  }
}
