package io.github.limiterkit.metrics;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheckRegistry;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a kit's figures in a Dropwizard registry, and its health if asked to.
 *
 * <pre>{@code
 * LimiterKit.builder().metrics(DropwizardMetrics.on(registry).healthChecks(health))
 * }</pre>
 *
 * <p>Everything is registered while the kit is built and taken out when it is closed; a request
 * registers nothing. Names depend on configured names only, never on a client. They begin with the
 * prefix; a second kit on the same registry gets {@code prefix-2}, a third {@code prefix-3}, the
 * lowest that is free. The registry stays the caller's.
 *
 * <p>Immutable; needs {@code io.dropwizard.metrics:metrics-core} on the class path, and {@code
 * metrics-healthchecks} only for {@link #healthChecks}.
 */
public final class DropwizardMetrics implements KitMetrics {

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  private final MetricRegistry registry;
  private final String prefix;
  private final @Nullable HealthCheckRegistry healthChecks;

  private DropwizardMetrics(
      MetricRegistry registry, String prefix, @Nullable HealthCheckRegistry healthChecks) {
    this.registry = registry;
    this.prefix = prefix;
    this.healthChecks = healthChecks;
  }

  /**
   * Publishes in a registry, under names that begin with {@code limiterkit}.
   *
   * @param registry takes the metrics
   * @return what to hand to the kit's builder
   */
  public static DropwizardMetrics on(MetricRegistry registry) {
    return new DropwizardMetrics(Objects.requireNonNull(registry, "registry"), "limiterkit", null);
  }

  /**
   * Sets how the names begin.
   *
   * @param prefix words of letters, digits, {@code _} and {@code -}, joined by dots
   * @return the same with this prefix
   * @throws IllegalArgumentException if it is not of that form
   */
  public DropwizardMetrics prefix(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "metrics prefix \"%s\" does not match %s".formatted(prefix, PREFIX.pattern()));
    }
    return new DropwizardMetrics(registry, prefix, healthChecks);
  }

  /**
   * Adds a health check, named as the prefix. It is unhealthy only while there is something that
   * somebody has to mend ({@link KitFigures#alarm}). A lost store is healthy: the kit limits on,
   * and taking the instance out of service would make the outage larger.
   *
   * @param healthChecks takes the health check
   * @return the same with a health check
   */
  public DropwizardMetrics healthChecks(HealthCheckRegistry healthChecks) {
    return new DropwizardMetrics(
        registry, prefix, Objects.requireNonNull(healthChecks, "healthChecks"));
  }

  @Override
  public Publication publish(KitFigures figures) {
    DropwizardPublication metrics = DropwizardPublication.of(registry, prefix, figures);
    return healthChecks == null
        ? metrics
        : KitHealthCheck.register(healthChecks, prefix, figures, metrics);
  }
}
