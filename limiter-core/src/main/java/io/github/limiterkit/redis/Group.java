package io.github.limiterkit.redis;

/**
 * Decisions that ask the same of the same keys, in their order: the script answers them together.
 */
final class Group {

  final DecideCall first;

  /** The numbers of its keys. */
  final int[] numbers;

  private DecideCall last;
  private int size = 1;

  Group(DecideCall first, int[] numbers) {
    this.first = first;
    this.numbers = numbers;
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

  /**
   * Whether it can be spoken of in one breath with others: all ask alike, and the numbers of their
   * keys grow by the same steps.
   *
   * @param begins the first of them
   * @param second the next one, which tells the steps
   * @param steps how many after the first this is
   */
  boolean follows(Group begins, Group second, int steps) {
    if (size != begins.size || !first.asksLike(begins.first)) {
      return false;
    }
    for (int i = 0; i < numbers.length; i++) {
      int step = second.numbers[i] - begins.numbers[i];
      if (step < 0 || numbers[i] != begins.numbers[i] + steps * step) {
        return false;
      }
    }
    return true;
  }
}
