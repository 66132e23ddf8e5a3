package io.github.limiterkit.examples.outagereplay;

import java.util.List;

/** What the report and the page say alike. */
final class Words {

  static final String SETTING =
      "Four instances of an API share a real Redis, 2 ms away, and wait at most "
          + Quota.DEADLINE.toMillis()
          + " ms for it. Each client may send "
          + Quota.PERMITS
          + " requests in "
          + Quota.WINDOW.toSeconds()
          + " s. The API bears "
          + Backend.CAPACITY_PER_SECOND
          + " requests a second; what is more waits, and who has waited "
          + Backend.PATIENCE.toMillis()
          + " ms gives up. Well-behaved clients use 30 % of their quota, bots many times theirs."
          + " Every strategy has servers, a Redis and a backend of its own and gets the same requests"
          + " at the same moments.";

  static final String FIGURES =
      "“Not served” are requests of well-behaved clients that anybody turned away, limiter or"
          + " overloaded API. All figures are about the outage itself, but for the last five. The"
          + " bound is what the kit promises to let through at most, for all bots and all windows of"
          + " the outage together. Store calls are counted by Redis. Recovered is who counts in Redis"
          + " with all instances and serves every well-behaved request for two seconds; three busy"
          + " strategies on one machine can disturb each other later on, so that is told, too: how"
          + " much of the time from then on all instances shared their counts. The store's load on"
          + " return is that of the first "
          + Quota.WINDOW.toSeconds()
          + " s in which it is asked again, compared with as many seconds before the outage; and the"
          + " busiest tenth of a second of those, compared with an average one before it.";

  static final String CURVE =
      "While Redis is gone, each instance gives out its part of a quota. Whoever uses nearly all of"
          + " the whole then meets refusals, because requests do not spread evenly. The curve is"
          + " taken from the kit itself, with a clock that is moved by hand, for a client that sends"
          + " at random moments to instances at random. A safety of 0.5 halves each part.";

  private Words() {}

  /** An outage in a sentence, such as one would put on a first page. */
  static String sentence(Outage outage, List<Figures> all) {
    StringBuilder sentence =
        new StringBuilder("In outage " + outage + ", of the requests of well-behaved clients ");
    String separator = "";
    for (Figures figures : all) {
      double lost = 100.0 * figures.wellBehavedRefused() / figures.wellBehavedRequests();
      sentence
          .append(separator)
          .append(figures.strategy().id())
          .append(" lost ")
          .append(Numbers.text(lost))
          .append(" %");
      separator = ", ";
    }
    return sentence.append('.').toString();
  }
}
