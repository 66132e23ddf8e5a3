package io.github.limiterkit.jaxrs;

import io.github.limiterkit.setup.LimiterKit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** What the REST filters do on every implementation, over real sockets. */
abstract class RestAdapterContract
    implements AnswersContract, AnnotationsContract, ChargingContract, FailuresContract {

  private final RestApp.Server server;
  private final AtomicLong nanos = new AtomicLong();
  private final Resources.Plain plain = new Resources.Plain();
  private final List<AutoCloseable> open = new ArrayList<>();

  RestAdapterContract(RestApp.Server server) {
    this.server = server;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Override
  public RestApp.Server server() {
    return server;
  }

  @Override
  public int start(RestApp app) throws Exception {
    RestApp.Running running = server.start(app);
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
  public Resources.Plain plain() {
    return plain;
  }
}
