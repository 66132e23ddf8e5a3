package io.github.limiterkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.limiterkit.store.Fleet;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An instance says that it is there, or that it leaves, and learns how many there are. What the
 * numbers mean stands on top of {@code fleet.lua}.
 */
final class Heartbeat implements Cargo {

  private static final List<String> HERE_OR_GONE = List.of("here", "gone");

  private final KeyNames keyNames;
  private final String instance;
  private final boolean leaves;
  private final long deadlineNanos;
  private final CompletableFuture<Fleet> fleet = new CompletableFuture<>();

  Heartbeat(KeyNames keyNames, String instance, boolean leaves, long deadlineNanos) {
    this.keyNames = keyNames;
    this.instance = instance;
    this.leaves = leaves;
    this.deadlineNanos = deadlineNanos;
  }

  @Override
  public Script script() {
    return Script.FLEET;
  }

  @Override
  public byte[][] arguments(byte[] script) {
    return arguments(script, "");
  }

  /** As {@link #arguments(byte[])}, at a time that a test chooses. */
  byte[][] arguments(byte[] script, String clockMillis) {
    return new byte[][] {
      script,
      "2".getBytes(UTF_8),
      keyNames.fleet("instances").getBytes(UTF_8),
      keyNames.fleet("sizes").getBytes(UTF_8),
      clockMillis.getBytes(UTF_8),
      instance.getBytes(UTF_8),
      HERE_OR_GONE.get(leaves ? 1 : 0).getBytes(UTF_8)
    };
  }

  @Override
  public @Nullable StoreException settle(Object answer) {
    fleet.complete(read(answer));
    return null;
  }

  static Fleet read(Object answer) {
    if (answer instanceof List<?> figures
        && figures.size() == 3
        && figures.get(0) instanceof Long alive
        && figures.get(1) instanceof Long missing
        && figures.get(2) instanceof Long most) {
      return new Fleet(alive.intValue(), missing.intValue(), most.intValue());
    }
    throw new StoreException(StoreFault.RESET, "the answer to a heartbeat is no list of three");
  }

  @Override
  public void fail(StoreException fault) {
    fleet.completeExceptionally(fault);
  }

  @Override
  public boolean isOver(long nowNanos) {
    return fleet.isDone() || deadlineNanos - nowNanos <= 0;
  }

  @Override
  public boolean isTrial() {
    return false;
  }

  /**
   * Who may decide but not say that it is there can do without the latter: shutting the gate would
   * cost it the shared count, and opening it again would be no better.
   */
  @Override
  public boolean concernsNode(StoreFault fault) {
    return fault.concernsNode() && fault != StoreFault.PERMISSION;
  }

  /** Waits for the answer until its deadline, for a thread of the kit. */
  Fleet await() {
    try {
      return fleet.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new StoreException(StoreFault.TIMEOUT, "no answer to a heartbeat");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new StoreException(StoreFault.TIMEOUT, "interrupted");
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof StoreException fault
          ? fault
          : new StoreException(StoreFault.RESET, String.valueOf(failed.getCause()));
    }
  }
}
