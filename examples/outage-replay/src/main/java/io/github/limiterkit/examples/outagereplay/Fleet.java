package io.github.limiterkit.examples.outagereplay;

import java.util.ArrayList;
import java.util.List;

/** Four instances of an API with one strategy, their store, and everybody who sends requests. */
final class Fleet implements AutoCloseable {

  private final Scene scene;
  private final Strategy strategy;
  private final Plan plan;
  private final RunClock clock;
  private final Store store = new Store();
  private final Backend backend = new Backend();
  private final Passages passages;
  private final List<Protection> protections = new ArrayList<>();
  private final List<Instance> instances = new ArrayList<>();
  private final StoreWatch watch;
  private final Traffic traffic;
  private double lostAt;
  private double backAt;

  Fleet(Scene scene, Strategy strategy, Plan plan, RunClock clock) throws Exception {
    this.scene = scene;
    this.strategy = strategy;
    this.plan = plan;
    this.clock = clock;
    this.passages = new Passages(clock);
    ApiServlet api = new ApiServlet(backend, passages);
    for (int i = 0; i < Quota.INSTANCES; i++) {
      Protection protection = strategy.protect(store.url());
      protections.add(protection);
      instances.add(Instance.start(passages, protection.filter(), api));
    }
    watch = new StoreWatch(clock, store, passages, this::countingInStore);
    traffic =
        new Traffic(
            clock, instances.stream().map(Instance::port).toList(), scene.load().arrivals(plan));
  }

  private int countingInStore() {
    return (int) protections.stream().filter(Protection::countsInStore).count();
  }

  Strategy strategy() {
    return strategy;
  }

  String redisVersion() {
    return store.version();
  }

  void start() {
    watch.start();
    traffic.start();
  }

  /** Takes the store away, at once. */
  void lose() {
    watch.lookAtWork();
    lostAt = clock.now();
    scene.begin().accept(store);
  }

  /** Gives the store back. */
  void giveBack() {
    backAt = clock.now();
    scene.end().accept(store);
  }

  List<Exchange> exchanges() {
    return traffic.exchanges();
  }

  /** Waits for the last answer. */
  Run finish() throws InterruptedException {
    traffic.finish();
    watch.lookAtWork();
    return new Run(
        scene,
        strategy,
        plan,
        lostAt,
        backAt,
        traffic.exchanges(),
        passages.ended(),
        watch.work(),
        watch.delays(),
        watch.users());
  }

  @Override
  public void close() {
    traffic.close();
    watch.close();
    for (Instance instance : instances) {
      instance.close();
    }
    protections.forEach(Protection::close);
    backend.close();
    store.close();
  }
}
