package io.github.limiterkit.examples.outagereplay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.examples.outagereplay.StoreWatch.Work;
import java.util.List;
import java.util.OptionalDouble;

/** What must hold for this kit in an outage, as one run shows it. */
final class KitPromises {

  /** By then the gates of all instances are shut. */
  private static final double SHUT_AFTER_SECONDS = 2;

  private static final double SHARED_AGAIN_SECONDS = 5;
  private static final double DEADLINE_MILLIS = Quota.DEADLINE.toNanos() / 1e6;

  /** Three probes open a gate when a kit starts, and some follow each other closely later on. */
  private static final int PROBES = 30;

  /** A heartbeat in a second, and a probe that can be followed by two more. */
  private static final int CALLS_PER_SECOND = 4;

  private final Run run;

  KitPromises(Run run) {
    this.run = run;
  }

  void nobodyWellBehavedIsRefused() {
    assertThat(run.wellBehaved()).hasSizeGreaterThan(100);
    assertThat(run.wellBehaved().filter(e -> !e.served())).isEmpty();
    assertThat(run.wellBehavedAfter().filter(e -> !e.served())).isEmpty();
  }

  void practicallyAllWellBehavedAreServed() {
    List<Exchange> requests = run.wellBehaved().toList();
    assertThat(requests).hasSizeGreaterThan(100);
    assertThat(requests.stream().filter(e -> !e.served()))
        .as("not served of %d", requests.size())
        .hasSizeLessThanOrEqualTo(requests.size() / 1_000);
  }

  /** The ceiling is the same for all, and instances return one by one. */
  void mostWellBehavedAreServedOnReturn() {
    List<Exchange> requests = run.wellBehavedAfter().toList();
    assertThat(requests).hasSizeGreaterThan(100);
    assertThat(requests.stream().filter(e -> !e.served()))
        .as("not served of %d", requests.size())
        .hasSizeLessThanOrEqualTo(requests.size() / 100);
  }

  /** By the store's own count, whenever it was looked at. */
  void noCallIsRepeated() {
    double started = -run.plan().warmUp().toNanos() / 1e9 - 5;
    assertThat(run.work()).hasSizeGreaterThan(20);
    assertThat(run.work())
        .allSatisfy(
            look ->
                assertThat(look.calls())
                    .as("calls at %.1f s", look.at())
                    .isLessThanOrEqualTo(
                        look.requests()
                            + background(look.at() - started)
                            + Quota.INSTANCES * PROBES));
  }

  void theStoreIsLeftAlone() {
    double shut = run.lostAt() + SHUT_AFTER_SECONDS;
    // A store that is busy or stopped cannot be asked how many there were until it is back.
    List<Work> before = run.work().stream().filter(look -> look.at() <= shut).toList();
    Work from = before.get(before.size() - 1);
    Work to =
        run.work().stream().filter(look -> look.at() >= run.backAt()).findFirst().orElseThrow();
    long mayAsk =
        run.passages().stream()
            .filter(p -> p.at() >= from.at() && p.at() < to.at())
            .filter(p -> p.at() < shut || p.at() >= run.backAt())
            .count();
    assertThat(to.calls() - from.calls())
        .as("calls from %.1f s to %.1f s", from.at(), to.at())
        .isLessThanOrEqualTo(mayAsk + background(to.at() - from.at() + 1));
  }

  void whatIsAddedIsBounded() {
    assertThat(run.addedMillis(1, run.lostAt(), run.backAt()))
        .as("the most that was added to a request")
        .isLessThanOrEqualTo(DEADLINE_MILLIS + 50);
    assertThat(run.addedMillis(0.999, run.lostAt(), run.backAt()))
        .as("added to 99.9 %% of the requests")
        .isLessThanOrEqualTo(DEADLINE_MILLIS + 10);
    assertThat(run.addedMillis(0.5, run.lostAt() + SHUT_AFTER_SECONDS, run.backAt()))
        .as("added while the gates are shut")
        .isLessThan(1);
  }

  /** That they stay is not asked here: a machine that stands still makes any store slow. */
  void allComeBackByThemselves() {
    soon(run.allTogetherAt());
  }

  void allComeBackByThemselvesAndStay() {
    soon(run.allBackAt());
  }

  private void soon(OptionalDouble at) {
    assertThat(at).as("instances that count in the store: %s", run.users()).isPresent();
    assertThat(at.getAsDouble() - run.backAt()).isLessThanOrEqualTo(SHARED_AGAIN_SECONDS);
  }

  void noBotIsGivenMoreThanTheBound() {
    assertThat(run.bots()).hasSizeGreaterThan(300);
    assertThat(run.mostForABot())
        .isPositive()
        .isLessThanOrEqualTo(Figures.boundPerWindow(run.scene()));
    Figures figures = Figures.of(run);
    assertThat(figures.botsAdmitted()).isLessThanOrEqualTo(figures.botBound());
  }

  void theApiIsGivenNoMoreThanItBears() {
    assertThat(run.mostInASecond()).isPositive().isLessThanOrEqualTo(Backend.CAPACITY_PER_SECOND);
  }

  void theStoreIsNotOverrunOnReturn() {
    assertThat(run.loadOnReturn()).isPositive().isLessThanOrEqualTo(1.2);
    // In so short a time chance has its say, also when all is well: four standard deviations.
    double most = 1.2 * run.normalCallsInATenth();
    assertThat(run.callsInTenthsOnReturn())
        .as("calls in each tenth of a second; %.1f before", run.normalCallsInATenth())
        .hasSize(20)
        .allMatch(calls -> calls <= most + 4 * Math.sqrt(most));
  }

  private static long background(double seconds) {
    return (long) Math.ceil(Quota.INSTANCES * CALLS_PER_SECOND * seconds);
  }
}
