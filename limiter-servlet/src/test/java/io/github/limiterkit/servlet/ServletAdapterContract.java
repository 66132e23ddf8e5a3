package io.github.limiterkit.servlet;

import io.github.limiterkit.setup.LimiterKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** What the filter does in every servlet container, over real sockets. */
abstract class ServletAdapterContract
    implements AnswersContract,
        NumbersContract,
        ChargingContract,
        CountsContract,
        FailuresContract,
        PhasesContract,
        KeysContract,
        ProxiesContract,
        AddressSpellingsContract,
        PathsContract,
        HostileRequestsContract,
        LifeContract,
        Http2Contract {

  private final App.Container container;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger handled = new AtomicInteger();
  private final List<AutoCloseable> open = new ArrayList<>();

  ServletAdapterContract(App.Container container) {
    this.container = container;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Override
  public App.Container container() {
    return container;
  }

  @Override
  public int start(App app) throws Exception {
    App.Running running = container.start(app);
    open.add(running);
    return running.port();
  }

  @Override
  public LimiterKit kit(LimiterKit.Builder builder) {
    LimiterKit kit = builder.ticker(nanos::get).build();
    open.add(kit);
    return kit;
  }

  @Override
  public void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Override
  public AtomicInteger handled() {
    return handled;
  }
}
