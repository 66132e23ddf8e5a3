package io.github.limiterkit.examples.outagereplay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Both outages in their shortest form, with all strategies under the same load: first the kit, then
 * the others, who would leave it too little of two processors to be judged by.
 */
class OutageReplayIT {

  private static Results results;

  @BeforeAll
  static void replay() throws Exception {
    // The first ones find a cold JVM.
    List<Run> runs = new ArrayList<>(bothOutages(plan(3_000), List.of(Strategy.LIMITER_KIT)));
    runs.addAll(bothOutages(plan(1_000), List.of(Strategy.RETRY_THEN_DENY, Strategy.FAIL_OPEN)));
    runs.sort(Comparator.comparing(Run::strategy));
    results = new Results(plan(1_000), "a machine", runs, List.of(Curve.take(100, 1, 20)));
    for (Outage outage : Outage.values()) {
      Table.markdown(results.figures(outage)).forEach(System.out::println);
    }
  }

  /** At the same time, each with a store and a fleet of its own. */
  private static List<Run> bothOutages(Plan plan, List<Strategy> strategies) throws Exception {
    ExecutorService stages = Executors.newFixedThreadPool(Outage.values().length);
    try {
      List<Callable<List<Run>>> plays = new ArrayList<>();
      for (Outage outage : Outage.values()) {
        plays.add(new Stage(outage.scene(), plan, strategies, System.out)::play);
      }
      List<Run> runs = new ArrayList<>();
      for (Future<List<Run>> play : stages.invokeAll(plays)) {
        runs.addAll(play.get());
      }
      return runs;
    } finally {
      stages.shutdownNow();
    }
  }

  private static Plan plan(long warmUpMillis) {
    return new Plan(
        "short",
        Duration.ofMillis(warmUpMillis),
        Duration.ofMillis(2_500),
        Duration.ofMillis(3_500),
        Duration.ofMillis(3_800),
        100);
  }

  @Test
  void aSlowStoreCostsNobodyWhoIsWellBehaved() {
    promises(Outage.A).nobodyWellBehavedIsRefused();
  }

  @Test
  void aSlowStoreIsAskedNoMoreThanOncePerRequestAndSoonNotAtAll() {
    promises(Outage.A).noCallIsRepeated();
    promises(Outage.A).theStoreIsLeftAlone();
  }

  @Test
  void aSlowStoreAddsItsDeadlineAtMostAndSoonNothing() {
    promises(Outage.A).whatIsAddedIsBounded();
  }

  @Test
  void aStoreThatIsFastAgainIsUsedAgain() {
    promises(Outage.A).allComeBackByThemselves();
  }

  @Test
  void whoRetriesAndDeniesTurnsGoodClientsAwayAndGoesOnAskingASlowStore() {
    Figures theirs = figures(Outage.A, Strategy.RETRY_THEN_DENY);
    Figures ours = figures(Outage.A, Strategy.LIMITER_KIT);

    assertThat(theirs.wellBehavedRefused()).isPositive();
    // Not compared with the other limiter: how many of their requests still wait for a connection
    // at the end, and have not called yet, is for the machine to say.
    assertThat(ours.storeCallsPerRequest()).isLessThan(0.5);
    assertThat(theirs.storeCallsPerRequest()).isGreaterThan(2 * ours.storeCallsPerRequest());
  }

  @Test
  void withoutAStoreEachBotStaysWithinTheBound() {
    promises(Outage.B).noBotIsGivenMoreThanTheBound();
  }

  @Test
  void withoutAStoreTheApiStaysUp() {
    promises(Outage.B).theApiIsGivenNoMoreThanItBears();
    promises(Outage.B).practicallyAllWellBehavedAreServed();
    promises(Outage.B).whatIsAddedIsBounded();
  }

  @Test
  void aStoreThatReturnsIsNotOverrun() {
    promises(Outage.B).allComeBackByThemselves();
    promises(Outage.B).theStoreIsNotOverrunOnReturn();
    promises(Outage.B).mostWellBehavedAreServedOnReturn();
    promises(Outage.B).noCallIsRepeated();
  }

  @Test
  void whoFailsOpenLetsTheBotsTakeTheApiDown() {
    Run theirs = run(Outage.B, Strategy.FAIL_OPEN);

    assertThat(theirs.mostForABot()).isGreaterThan(Figures.boundPerWindow(theirs.scene()));
    assertThat(theirs.mostInASecond()).isGreaterThan(Backend.CAPACITY_PER_SECOND);
    assertThat(theirs.wellBehaved().filter(e -> !e.served()).count())
        .as("not served")
        .isGreaterThan(theirs.wellBehaved().count() / 4);
  }

  @Test
  void whoRetriesAndDeniesServesNobodyWithoutAStore() {
    Run theirs = run(Outage.B, Strategy.RETRY_THEN_DENY);

    assertThat(
            theirs
                .wellBehaved()
                .filter(e -> theirs.inOutage(e.at() - 0.2) && theirs.inOutage(e.at() + 0.2)))
        .isNotEmpty()
        .noneMatch(Exchange::served);
  }

  @Test
  void writesAReportThatNeedsNothingElse() {
    String report = Report.html(results);

    assertThat(report.split("<svg ", -1)).hasSize(1 + 2 * 8 + 1);
    assertThat(report)
        .contains(Strategy.RETRY_THEN_DENY.model(), "prefers-color-scheme: dark")
        .doesNotContain("NaN", "http://", "https://", "<script")
        .doesNotContainPattern("@[a-z]+@");
  }

  @Test
  void writesFiguresForMachines() {
    String json = FiguresJson.of(results.figures());

    assertThat(json.lines().filter(line -> line.contains("\"outage\": "))).hasSize(6);
    assertThat(json)
        .contains("{\"outage\": \"B\", \"strategy\": \"limiter-kit\", \"wellBehavedRequests\": ")
        .contains("\"botBound\": ", "\"secondsToRecover\": ")
        .doesNotContain("NaN");
  }

  @Test
  void writesAPageWithTheCommandThatMadeIt() {
    assertThat(Doc.lines(results))
        .contains("examples/outage-replay/replay --doc docs/outage-replay.md")
        .contains("## Outage A: the denial loop", "## Outage B: the open gate")
        .noneMatch(line -> line.contains("NaN"));
  }

  private static KitPromises promises(Outage outage) {
    return new KitPromises(run(outage, Strategy.LIMITER_KIT));
  }

  private static Figures figures(Outage outage, Strategy strategy) {
    return Figures.of(run(outage, strategy));
  }

  private static Run run(Outage outage, Strategy strategy) {
    return results.runs(outage).stream()
        .filter(run -> run.strategy() == strategy)
        .findFirst()
        .orElseThrow();
  }
}
