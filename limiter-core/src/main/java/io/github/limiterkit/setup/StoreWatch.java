package io.github.limiterkit.setup;

import io.github.limiterkit.metrics.KitMetrics;
import io.github.limiterkit.metrics.StoreCounters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Sees what happens between the kit and its store. */
final class StoreWatch implements AutoCloseable {

  private final StoreCounters counters = new StoreCounters();
  private final List<KitMetrics.Publication> publications = new CopyOnWriteArrayList<>();

  StoreCounters counters() {
    return counters;
  }

  @Nullable String alarm() {
    return null;
  }

  void publishedBy(KitMetrics.Publication publication) {
    publications.add(publication);
  }

  @Override
  public void close() {
    publications.forEach(KitMetrics.Publication::close);
  }
}
