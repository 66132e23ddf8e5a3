package io.github.limiterkit.local;

import io.github.limiterkit.Charge;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All entries: by key and policy name for those who look one up, which any thread may do at any
 * time, and in a list for those who pick one. Whoever uses the list or changes anything holds the
 * structure's lock.
 */
final class EntryIndex<S extends LocalTable.State> {

  /** The entries of a key form a chain, one per policy, so that one look-up is enough. */
  private final ConcurrentHashMap<Object, Entry<S>> chains = new ConcurrentHashMap<>();

  private final ArrayList<Entry<S>> entries = new ArrayList<>();
  private long nextId;

  private volatile int size;

  @Nullable Entry<S> find(Charge charge) {
    String policy = charge.policy().name();
    Entry<S> entry = chains.get(StoredKey.of(charge.key()));
    while (entry != null && !entry.policy.equals(policy)) {
      entry = entry.next;
    }
    return entry;
  }

  /** For any thread. */
  int size() {
    return size;
  }

  Entry<S> get(int index) {
    return entries.get(index);
  }

  void insert(Entry<S> entry) {
    entry.id = nextId++;
    entry.index = entries.size();
    entries.add(entry);
    size = entries.size();
    entry.next = chains.get(entry.key);
    chains.put(entry.key, entry);
  }

  /** Also needs the lock of the entry. */
  void remove(Entry<S> entry) {
    entry.dead = true;
    Entry<S> last = entries.remove(entries.size() - 1);
    if (last != entry) {
      last.index = entry.index;
      entries.set(last.index, last);
    }
    size = entries.size();
    unchain(entry);
  }

  /** The entry keeps its own link, for those who have just come to it on their way to another. */
  private void unchain(Entry<S> entry) {
    Entry<S> before = null;
    for (Entry<S> at = chains.get(entry.key); at != null && at != entry; at = at.next) {
      before = at;
    }
    if (before != null) {
      before.next = entry.next;
    } else if (entry.next != null) {
      chains.put(entry.key, entry.next);
    } else {
      chains.remove(entry.key);
    }
  }
}
