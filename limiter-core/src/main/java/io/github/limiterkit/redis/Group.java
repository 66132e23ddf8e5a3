package io.github.limiterkit.redis;

/**
 * Decisions that ask the same of the same keys, in their order: the script answers them together.
 */
final class Group {

  final DecideCall first;
  private DecideCall last;
  private int size = 1;

  Group(DecideCall first) {
    this.first = first;
    this.last = first;
  }

  void add(DecideCall call) {
    last.alike = call;
    last = call;
    size++;
  }

  /** How many may be admitted. */
  int most() {
    return first.barred ? 0 : size;
  }

  /** Whether both are spoken of in the same words, but for the keys. */
  boolean isLike(Group other) {
    return size == other.size && first.asksLike(other.first);
  }
}
