package io.github.limiterkit.testing;

import io.github.limiterkit.Charge;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreListener;
import java.util.List;

/** A store for tests, with one node, and nothing to start or to stop unless it says so itself. */
public interface OneNodeStore extends SharedStore {

  /** The name of the node, and of the store. */
  String node();

  @Override
  default String description() {
    return node();
  }

  @Override
  default List<String> nodes() {
    return List.of(node());
  }

  @Override
  default String nodeOf(Charge charge) {
    return node();
  }

  @Override
  default void start(StoreListener listener) {}

  @Override
  default void probe(String node, long deadlineNanos) {}

  @Override
  default void leave(String node, long deadlineNanos) {}

  @Override
  default void close() {}
}
