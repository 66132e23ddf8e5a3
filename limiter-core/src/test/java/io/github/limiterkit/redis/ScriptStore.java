package io.github.limiterkit.redis;

import io.github.limiterkit.Charge;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreListener;
import io.github.limiterkit.store.StoreReply;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** The script on a real server as a shared store, on a clock that a test moves. */
final class ScriptStore implements SharedStore {

  private static final String NODE = "script";

  private final ScriptCounter script;
  private final LongSupplier clockMillis;

  ScriptStore(ScriptCounter script, LongSupplier clockMillis) {
    this.script = script;
    this.clockMillis = clockMillis;
  }

  @Override
  public synchronized StoreReply decide(List<Charge> charges, long[] floors, long deadlineNanos) {
    return script.decide(charges, floors, clockMillis.getAsLong());
  }

  @Override
  public String description() {
    return NODE;
  }

  @Override
  public Duration deadline() {
    return Duration.ofSeconds(5);
  }

  @Override
  public List<String> nodes() {
    return List.of(NODE);
  }

  @Override
  public String nodeOf(Charge charge) {
    return NODE;
  }

  @Override
  public void start(StoreListener listener) {}

  @Override
  public void probe(String node, long deadlineNanos) {}

  @Override
  public void close() {}
}
