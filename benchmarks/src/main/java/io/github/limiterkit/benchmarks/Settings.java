package io.github.limiterkit.benchmarks;

import java.time.Duration;
import java.util.Set;

/**
 * How long and how much is measured.
 *
 * @param name as it is printed
 * @param rounds how often each contender has its turn
 * @param sharedWarmUp for each contender on Redis, before the first round
 * @param sharedRound length of a round on Redis
 * @param localWarmUp for each contender in memory, in each round: each has a JVM of its own
 * @param localRound length of a round in memory
 * @param forks 1 to measure what is in memory in JVMs of their own, 0 only to see that it runs
 * @param heapMegabytes heap of those JVMs
 * @param localPeers who runs in memory beside this kit
 * @param memoryKeys for how many keys the memory is measured
 * @param outageDecisions decisions in one round without a store
 * @param budget when the time is used up, no further round begins
 * @param only scenarios to run; all if empty
 */
record Settings(
    String name,
    int rounds,
    Duration sharedWarmUp,
    Duration sharedRound,
    Duration localWarmUp,
    Duration localRound,
    int forks,
    int heapMegabytes,
    Peers localPeers,
    int memoryKeys,
    int outageDecisions,
    Duration budget,
    Set<String> only) {

  /** Which peers. */
  enum Peers {
    /** Every one, in every configuration. */
    ALL,
    /** Those on whom a bar of the scenario depends. */
    NEEDED,
    /** Those whom a bar names, which is enough to see that all is well. */
    FEW
  }

  static Settings full(Set<String> only) {
    return new Settings(
        "full",
        9,
        Duration.ofSeconds(5),
        Duration.ofSeconds(3),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        1,
        1024,
        Peers.ALL,
        1_000_000,
        50_000,
        Duration.ofMinutes(50),
        only);
  }

  /** A look, not a finding. Alone, a scenario has the time of a longer look. */
  static Settings quick(Set<String> only) {
    boolean alone = only.size() == 1;
    return new Settings(
        "quick",
        3,
        Duration.ofMillis(alone ? 3000 : 1000),
        Duration.ofMillis(alone ? 2000 : 800),
        Duration.ofMillis(alone ? 1000 : 400),
        Duration.ofMillis(alone ? 1000 : 250),
        1,
        256,
        alone ? Peers.ALL : Peers.NEEDED,
        20_000,
        20_000,
        Duration.ofSeconds(150),
        only);
  }

  /** Only to see that it runs. */
  static Settings smoke(Set<String> only) {
    Duration blink = Duration.ofMillis(20);
    return new Settings(
        "smoke",
        1,
        blink,
        Duration.ofMillis(50),
        blink,
        blink,
        0,
        256,
        Peers.FEW,
        1_000,
        1_000,
        Duration.ofMinutes(1),
        only);
  }

  boolean runs(String scenario) {
    return only.isEmpty() || only.contains(scenario);
  }
}
