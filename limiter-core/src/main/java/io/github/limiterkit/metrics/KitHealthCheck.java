package io.github.limiterkit.metrics;

import com.codahale.metrics.health.HealthCheck;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.github.limiterkit.OperatorSwitch;
import io.github.limiterkit.store.Sample;

/** Red only for what somebody has to mend; a kit that limits without its store is at work. */
final class KitHealthCheck extends HealthCheck {

  private final KitFigures figures;

  private KitHealthCheck(KitFigures figures) {
    this.figures = figures;
  }

  /** Registers a check under the first free name, to be taken out together with the metrics. */
  static KitMetrics.Publication register(
      HealthCheckRegistry registry,
      String prefix,
      KitFigures figures,
      KitMetrics.Publication metrics) {
    KitHealthCheck check = new KitHealthCheck(figures);
    String name = FreeName.claim(prefix, free -> registry.register(free, check));
    return new KitMetrics.Publication() {
      @Override
      public void sample(Sample sample) {
        metrics.sample(sample);
      }

      @Override
      public void close() {
        if (registry.getHealthCheck(name) == check) {
          registry.unregister(name);
        }
        metrics.close();
      }
    };
  }

  @Override
  protected Result check() {
    String alarm = figures.alarm();
    String state = "mode " + figures.mode();
    if (figures.override() != OperatorSwitch.NORMAL) {
      state += ", override " + figures.override();
    }
    return alarm == null ? Result.healthy(state) : Result.unhealthy(state + "; " + alarm);
  }
}
