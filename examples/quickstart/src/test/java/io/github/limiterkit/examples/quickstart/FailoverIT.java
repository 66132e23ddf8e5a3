package io.github.limiterkit.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Mode;
import io.github.limiterkit.examples.quickstart.Traffic.Request;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The server of the quickstart under 200 requests a second of 20 clients, two of which send eleven
 * times as much as the others, while its Redis is killed or stopped and comes back.
 */
class FailoverIT {

  private static final Duration DEADLINE = RedisStore.DEFAULT_DEADLINE;
  private static final int CLIENTS = 18;
  private static final double HONEST_PER_SECOND = 5;
  private static final double ABUSIVE_PER_SECOND = 55;

  /** Probes are charges too: three to open a gate, and one per step of the backoff before. */
  private static final long BACKGROUND_CALLS = 20;

  /**
   * How long things take.
   *
   * @param limit of each client
   * @param window of that limit
   * @param quota of that limit
   * @param healthy seconds before Redis is lost, by when the abusive clients have spent their quota
   * @param lost seconds without Redis
   * @param after seconds with Redis again
   */
  private record Plan(
      String limit, Duration window, long quota, int healthy, int lost, int after) {}

  private static final Plan SHORT = new Plan("120/10s", Duration.ofSeconds(10), 120, 3, 3, 3);
  private static final Plan LONG = new Plan("600/1m", Duration.ofMinutes(1), 600, 14, 12, 10);

  @Test
  void servesOnWhileRedisIsKilled() throws Exception {
    run(SHORT, "kill -9", RedisServer::kill, RedisServer::restart);
  }

  @Test
  @Tag("deep")
  void servesOnWhileRedisIsStopped() throws Exception {
    run(SHORT, "SIGSTOP", RedisServer::pause, RedisServer::resume);
  }

  @Test
  @Tag("deep")
  void servesOnWhileRedisIsKilledAtSixHundredPerMinute() throws Exception {
    run(LONG, "kill -9", RedisServer::kill, RedisServer::restart);
  }

  @Test
  @Tag("deep")
  void servesOnWhileRedisIsStoppedAtSixHundredPerMinute() throws Exception {
    run(LONG, "SIGSTOP", RedisServer::pause, RedisServer::resume);
  }

  private static void run(
      Plan plan, String fault, Consumer<RedisServer> lose, Consumer<RedisServer> bringBack)
      throws Exception {
    try (RedisServer redis = RedisServer.start();
        LimiterKit kit = kit(plan, redis);
        WebServer server = WebServer.start(0, kit, null)) {
      await().until(() -> kit.mode() == Mode.SHARED);
      warmUp(server.port());
      redis.command("CONFIG", "RESETSTAT");
      try (Traffic traffic = new Traffic(server.port())) {
        for (int i = 0; i < CLIENTS; i++) {
          traffic.add("honest-" + i, "127.0.1." + (10 + i), "GET /hello", HONEST_PER_SECOND);
        }
        traffic.add("abusive-1", "127.0.2.1", "GET /hello", ABUSIVE_PER_SECOND);
        traffic.add("abusive-2", "127.0.2.2", "GET /hello", ABUSIVE_PER_SECOND);
        traffic.add("unlimited", "127.0.3.1", "OPTIONS /hello", 20);

        sleep(plan.healthy());
        long callsBefore = executed(redis);
        long requestsBefore = Figures.limited(traffic.requests()).size();
        long lostAt = System.nanoTime();
        lose.accept(redis);
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> kit.mode() != Mode.SHARED);
        long shutAt = System.nanoTime();
        sleep(plan.lost());
        long backAt = System.nanoTime();
        bringBack.accept(redis);
        await()
            .pollInterval(Duration.ofMillis(5))
            .atMost(Duration.ofSeconds(5))
            .until(() -> kit.mode() == Mode.SHARED);
        long sharedAt = System.nanoTime();
        sleep(plan.after());
        traffic.stop();

        Figures figures = new Figures(traffic.requests(), lostAt, shutAt, backAt, sharedAt);
        System.out.println(figures.text(fault, plan));
        figures.check(plan);
        assertThat(callsBefore)
            .as("calls at the server before the loss")
            .isLessThanOrEqualTo(requestsBefore + BACKGROUND_CALLS);
        assertThat(executed(redis))
            .as("calls at the server in all")
            .isLessThanOrEqualTo(figures.limited().size() + BACKGROUND_CALLS);
      }
    }
  }

  private static LimiterKit kit(Plan plan, RedisServer redis) {
    return LimiterKit.builder()
        .store(RedisStore.at(redis.url()).namespace("failover"))
        .fleetSize(1)
        .route("GET /hello", HttpPolicy.named("hello").limits(plan.limit()).build())
        .policy(HttpPolicy.named("orders").limits("10/1m").build())
        .limiterSource(true)
        .build();
  }

  /** Lets classes load and code compile: a cold JVM is not what is measured here. */
  private static void warmUp(int port) {
    try (Traffic warm = new Traffic(port)) {
      for (int i = 0; i < 4; i++) {
        warm.add("warm-" + i, "127.0.9." + (1 + i), "GET /hello", 500);
        warm.add("warm-page-" + i, "127.0.9." + (11 + i), "OPTIONS /hello", 200);
      }
      sleep(2);
    }
  }

  /** Time passes here because requests are sent meanwhile. */
  private static void sleep(int seconds) {
    await()
        .pollDelay(Duration.ofSeconds(seconds))
        .atMost(Duration.ofSeconds(seconds + 5L))
        .until(() -> true);
  }

  private static long executed(RedisServer redis) {
    return redis.commandStats().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("eval"))
        .mapToLong(entry -> entry.getValue().calls() - entry.getValue().failed())
        .sum();
  }

  /** What was seen, in figures. */
  private record Figures(List<Request> all, long lostAt, long shutAt, long backAt, long sharedAt) {

    void check(Plan plan) {
      assertThat(all).allMatch(request -> request.status() == 200 || request.status() == 429);
      assertThat(limited()).as("about 200 a second").hasSizeGreaterThan(150 * seconds(plan));
      assertThat(refused("honest")).as("refused requests of honest clients").isZero();
      assertThat(refused("abusive")).as("refused requests of abusive clients").isPositive();
      assertThat(mostInAWindow("abusive-1", plan)).isLessThanOrEqualTo(bound(plan));
      assertThat(mostInAWindow("abusive-2", plan)).isLessThanOrEqualTo(bound(plan));
      assertThat(decidedLocallyWhileLost()).as("decided here while Redis was lost").isPositive();
      assertThat(longest()).isLessThanOrEqualTo(DEADLINE.plusMillis(50).toNanos());
      assertThat(quantile(limited(), 0.999)).isLessThanOrEqualTo(DEADLINE.plusMillis(10).toNanos());
      assertThat(addedWhileShut()).isLessThan(Duration.ofMillis(1).toNanos());
    }

    /** A fleet of one: its own log is warm, so the loss brings nobody a second quota. */
    private static long bound(Plan plan) {
      // Units of the last two deadlines of a window are not protected against an empty restart.
      long unprotected = (long) Math.ceil(ABUSIVE_PER_SECOND * 2 * DEADLINE.toMillis() / 1_000);
      return plan.quota() + unprotected;
    }

    String text(String fault, Plan plan) {
      return String.format(
          Locale.ROOT,
          "FAILOVER %s, %s per client: %d requests, longest %.1f ms, 99.9%% within %.1f ms;"
              + " gate shut after %d ms, shared again after %d ms;"
              + " added latency while shut (median) %.3f ms, with Redis %.3f ms;"
              + " honest refused %d of %d; abusive admitted at most %d per window of %d sent",
          fault,
          plan.limit(),
          limited().size(),
          millis(longest()),
          millis(quantile(limited(), 0.999)),
          Duration.ofNanos(shutAt - lostAt).toMillis(),
          Duration.ofNanos(sharedAt - backAt).toMillis(),
          millis(addedWhileShut()),
          millis(median(r -> r.source().equals("shared")) - unlimited(r -> true)),
          refused("honest"),
          count(request -> request.client().startsWith("honest")),
          Math.max(mostInAWindow("abusive-1", plan), mostInAWindow("abusive-2", plan)),
          count(request -> request.client().startsWith("abusive")));
    }

    private static int seconds(Plan plan) {
      return plan.healthy() + plan.lost() + plan.after();
    }

    private List<Request> limited() {
      return limited(all);
    }

    /** Those that have a policy; the others never ask the store. */
    static List<Request> limited(List<Request> requests) {
      return requests.stream().filter(request -> !request.client().equals("unlimited")).toList();
    }

    private boolean whileShut(Request request) {
      return request.sentNanos() - shutAt > 0 && request.sentNanos() - backAt < 0;
    }

    /** How much longer a limited request takes than one to the same servlet without a policy. */
    private long addedWhileShut() {
      return median(this::whileShut) - unlimited(this::whileShut);
    }

    private long median(Predicate<Request> which) {
      return quantile(limited().stream().filter(which).toList(), 0.5);
    }

    private long unlimited(Predicate<Request> which) {
      return quantile(
          all.stream()
              .filter(request -> request.client().equals("unlimited"))
              .filter(which)
              .toList(),
          0.5);
    }

    private long decidedLocallyWhileLost() {
      return count(request -> request.source().equals("local") && whileShut(request));
    }

    private long refused(String kind) {
      return count(request -> request.client().startsWith(kind) && request.status() == 429);
    }

    private long count(Predicate<Request> which) {
      return all.stream().filter(which).count();
    }

    private long longest() {
      return limited().stream().mapToLong(Request::tookNanos).max().orElse(0);
    }

    /** The most that one client was given in any window, by the times at which it asked. */
    private long mostInAWindow(String client, Plan plan) {
      long[] given =
          all.stream()
              .filter(request -> request.client().equals(client) && request.status() == 200)
              .mapToLong(Request::sentNanos)
              .sorted()
              .toArray();
      long most = 0;
      int first = 0;
      for (int last = 0; last < given.length; last++) {
        while (given[last] - given[first] >= plan.window().toNanos()) {
          first++;
        }
        most = Math.max(most, last - first + 1);
      }
      return most;
    }

    private static long quantile(List<Request> requests, double part) {
      long[] took = requests.stream().mapToLong(Request::tookNanos).sorted().toArray();
      assertThat(took).as("requests to take a quantile of").isNotEmpty();
      return took[(int) Math.min(took.length - 1L, (long) (took.length * part))];
    }

    private static double millis(long nanos) {
      return nanos / 1e6;
    }
  }
}
