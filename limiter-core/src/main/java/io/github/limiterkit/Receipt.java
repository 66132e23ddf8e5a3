package io.github.limiterkit;

import java.util.List;

/**
 * What a limiter noted about a charge, so that it can take it back out of the very counter that
 * counted it. It lies inside a {@link Decision} and means nothing to anybody but the limiter that
 * wrote it.
 */
public interface Receipt {

  /**
   * Receipts for each of several charges by itself, in place of this one.
   *
   * @param charges those that it is for, in the order of the decision's usages, at least two
   * @return one for each, in the same order
   */
  List<Receipt> split(List<Charge> charges);
}
