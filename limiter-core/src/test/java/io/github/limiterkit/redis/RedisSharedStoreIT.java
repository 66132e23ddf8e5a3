package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import io.github.limiterkit.store.Sample;
import io.github.limiterkit.store.SharedStore;
import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import io.github.limiterkit.store.StoreReply;
import io.github.limiterkit.store.StoreReply.Room;
import io.github.limiterkit.testing.FaultProxy;
import io.github.limiterkit.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RedisSharedStoreIT {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Policy FIVE = Policy.named("five").limits("5/1m").build();

  private static final int ANSWERS_PER_THREAD = 20;

  private static RedisServer redis;

  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final List<SharedStore> opened = new ArrayList<>();

  @BeforeAll
  static void startRedis() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.command("FLUSHALL");
    redis.command("CONFIG", "RESETSTAT");
  }

  /** ST-027, ST-031: whatever a test did, no key of the kit may live for ever. */
  @AfterEach
  void everyKeyHasALifetime() {
    opened.forEach(SharedStore::close);
    for (String key : redis.command("KEYS", "*").lines().toList()) {
      if (!key.isEmpty()) {
        assertThat(Long.parseLong(redis.command("PTTL", key))).as(key).isPositive();
      }
    }
  }

  @Test
  void admitsUntilThePermitsAreSpent() {
    SharedStore store = open(redis.url());
    for (int left = 4; left >= 0; left--) {
      StoreReply reply = acquire(store, FIVE, "a");
      assertThat(reply.allowed()).isTrue();
      assertThat(reply.limits().get(0).remaining()).isEqualTo(left);
    }
    StoreReply refused = acquire(store, FIVE, "a");
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.limits().get(0).room()).isEqualTo(Room.NO);
    assertThat(refused.limits().get(0).retryAfterMillis()).isBetween(59_000L, 60_000L);
    assertThat(acquire(store, FIVE, "b").allowed()).isTrue();
  }

  @Test
  void chargesAllOrNone() {
    SharedStore store = open(redis.url());
    Policy one = Policy.named("one").limits("1/1m").build();
    List<Charge> both = List.of(Charge.of(FIVE, "a"), Charge.of(one, "a"));
    assertThat(decide(store, both).allowed()).isTrue();
    assertThat(decide(store, both).allowed()).isFalse();
    assertThat(acquire(store, FIVE, "a").limits().get(0).remaining()).isEqualTo(3);
  }

  @Test
  void looksWithoutLeavingATrace() {
    SharedStore store = open(redis.url());
    StoreReply reply = decide(store, List.of(new Charge(FIVE, "nobody", 0)));
    assertThat(reply.allowed()).isTrue();
    assertThat(reply.limits().get(0).remaining()).isEqualTo(5);
    assertThat(redis.command("KEYS", "*five*")).isEmpty();
  }

  @Test
  @DisplayName("ST-058: a cost above the limit can never succeed and consumes nothing")
  void refusesWhatCanNeverSucceed() {
    SharedStore store = open(redis.url());
    StoreReply reply = decide(store, List.of(new Charge(FIVE, "a", 6)));
    assertThat(reply.limits().get(0).room()).isEqualTo(Room.NEVER);
    assertThat(decide(store, List.of(new Charge(FIVE, "a", 5))).allowed()).isTrue();
  }

  @Test
  void admitsNoMoreThanTheFloorLeaves() {
    SharedStore store = open(redis.url());
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    StoreReply reply = store.decide(List.of(Charge.of(FIVE, "a")), new long[] {5}, deadline);
    assertThat(reply.allowed()).isFalse();
    assertThat(reply.limits().get(0).room()).isEqualTo(Room.BELOW_FLOOR);
    assertThat(acquire(store, FIVE, "a").limits().get(0).remaining()).isEqualTo(4);
  }

  @Test
  @DisplayName("ST-017: a lost script costs nobody a decision, and nobody is charged twice")
  void survivesALostScript() throws Exception {
    SharedStore store = open(redis.url());
    Policy many = Policy.named("many").limits("1000000/1m").build();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    AtomicInteger decided = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      running.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 100; i++) {
                  redis.command("SCRIPT", "FLUSH");
                  assertThat(acquire(store, many, "a").allowed()).isTrue();
                  decided.incrementAndGet();
                }
              }));
    }
    for (Future<?> thread : running) {
      thread.get(30, TimeUnit.SECONDS);
    }
    threads.shutdown();
    StoreReply last = acquire(store, many, "a");
    assertThat(decided.get()).isEqualTo(800);
    assertThat(last.limits().get(0).remaining()).isEqualTo(1_000_000 - 801);
  }

  @Test
  @DisplayName("ST-003: a reply is only ever used for the call that sent it")
  void givesNoReplyToAnotherCaller() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      SharedStore store = open(proxy.url());
      ExecutorService threads = Executors.newFixedThreadPool(16);
      List<Future<Integer>> running = new ArrayList<>();
      for (int t = 0; t < 16; t++) {
        int thread = t;
        running.add(threads.submit(() -> callWithMarkedLimits(store, proxy, thread)));
      }
      int answered = 0;
      for (Future<Integer> thread : running) {
        answered += thread.get(60, TimeUnit.SECONDS);
      }
      threads.shutdown();
      assertThat(answered).as("answers that could be checked").isEqualTo(16 * ANSWERS_PER_THREAD);
    }
  }

  /** The limit of key i is 1000 + i, so that an answer for another key shows in what remains. */
  private static int callWithMarkedLimits(SharedStore store, FaultProxy proxy, int thread) {
    int answered = 0;
    long used = 0;
    Policy policy = Policy.named("marked-" + thread).limits((1000 + thread) + "/1h").build();
    // However slow the machine is: it goes on until there are enough answers to check.
    for (int i = 0; answered < ANSWERS_PER_THREAD; i++) {
      // Each tenth reply comes after twice the deadline, when its callers have long gone.
      proxy.delayReplies(Duration.ofMillis((thread + i) % 10 == 0 ? 200 : i % 7));
      try {
        StoreReply reply = acquire(store, policy, "key");
        long spent = 1000 + thread - reply.limits().get(0).remaining();
        assertThat(spent).isBetween(used + 1, i + 1L);
        used = spent;
        answered++;
      } catch (StoreException late) {
        assertThat(late.fault()).isIn(StoreFault.TIMEOUT, StoreFault.UNREACHABLE, StoreFault.RESET);
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
    }
    return answered;
  }

  @Test
  @DisplayName("ST-004: a lost reply is no reason to ask again")
  void neverRepeatsACallWhoseOutcomeIsUnknown() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      SharedStore store = open(proxy.url());
      acquire(store, FIVE, "warm");
      long before = executions();
      proxy.swallowReplies();
      assertThatThrownBy(() -> acquire(store, FIVE, "a")).isInstanceOf(StoreException.class);
      await().atMost(Duration.ofSeconds(2)).until(() -> executions() == before + 1);
      proxy.pass();
      assertThat(executions()).isEqualTo(before + 1);
    }
  }

  @Test
  @DisplayName("ST-008: an interrupt neither fails a decision nor gets lost")
  void keepsTheInterruptOfACaller() {
    SharedStore store = open(redis.url());
    Thread.currentThread().interrupt();
    try {
      assertThat(acquire(store, FIVE, "a").allowed()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void givesUpOnTimeAndTellsThatTheServerIsSilent() {
    try (RedisServer own = RedisServer.start()) {
      SharedStore store = open(own.url());
      acquire(store, FIVE, "a");
      samples.clear();
      own.pause();
      long began = System.nanoTime();
      assertThatThrownBy(() -> acquire(store, FIVE, "a")).hasMessageContaining("deadline");
      assertThat(System.nanoTime() - began).isLessThan(DEADLINE.plusMillis(50).toNanos());
      await().atMost(Duration.ofSeconds(2)).until(() -> failures() >= 3);
      own.resume();
      await().atMost(Duration.ofSeconds(3)).until(() -> answers(store));
    }
  }

  @Test
  @DisplayName("ST-005: a deadline holds also for the second packet of a reply")
  void givesUpOnTimeOnAReplyThatTrickles() {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      SharedStore store = open(proxy.url());
      for (Duration perByte : List.of(Duration.ofMillis(5), Duration.ofMillis(100))) {
        await().until(() -> probes(store) && answers(store));
        proxy.dribble(perByte);
        for (int i = 0; i < 5; i++) {
          long began = System.nanoTime();
          assertThatThrownBy(() -> acquire(store, FIVE, "a")).isInstanceOf(StoreException.class);
          assertThat(System.nanoTime() - began).isLessThan(DEADLINE.plusMillis(50).toNanos());
        }
        proxy.pass();
      }
      await().atMost(Duration.ofSeconds(5)).until(() -> probes(store) && answers(store));
    }
  }

  @Test
  void comesBackAfterTheServerWasKilledAndStartedAgain() {
    try (RedisServer own = RedisServer.start()) {
      SharedStore store = open(own.url());
      acquire(store, FIVE, "a");
      own.kill();
      await().atMost(Duration.ofSeconds(2)).until(() -> !answers(store));
      own.restart();
      await().atMost(Duration.ofSeconds(3)).until(() -> probes(store) && answers(store));
    }
  }

  @Test
  void connectsAnewWhenTheServerBecameAReplica() {
    try (RedisServer own = RedisServer.start();
        FaultProxy proxy = FaultProxy.inFrontOf(own.port())) {
      SharedStore store = open(proxy.url());
      long before = proxy.connectionsOpened();
      own.command("REPLICAOF", "127.0.0.1", "1");
      assertThatThrownBy(() -> acquire(store, FIVE, "a"))
          .isInstanceOfSatisfying(
              StoreException.class,
              refused -> assertThat(refused.fault()).isEqualTo(StoreFault.READONLY));
      await()
          .atMost(Duration.ofSeconds(3))
          .until(() -> proxy.connectionsOpened() > before && answers(store));
    }
  }

  @Test
  void connectsAfterAPasswordSupplierFailedBadly() {
    AtomicInteger asked = new AtomicInteger();
    SharedStore store =
        RedisStore.at(redis.url())
            .deadline(DEADLINE)
            .password(
                () -> {
                  if (asked.getAndIncrement() == 0) {
                    throw new NoClassDefFoundError("com/example/Vault");
                  }
                  return null;
                })
            .open();
    opened.add(store);
    store.start(samples::add);
    await().atMost(Duration.ofSeconds(3)).until(() -> probes(store));
    assertThat(asked.get()).isGreaterThan(1);
  }

  @Test
  @DisplayName("ST-033: what cannot be read is replaced, and the limit holds again")
  void replacesForeignValues() {
    SharedStore store = open(redis.url());
    acquire(store, FIVE, "a");
    String key = redis.command("KEYS", "*five*").strip();
    List<List<String>> foreign =
        List.of(
            List.of("SET", key, "something else"),
            List.of("RPUSH", key, "x"),
            List.of("HSET", key, "f", "v"),
            List.of("SADD", key, "x"),
            List.of("ZADD", key, "1", "x"));
    for (List<String> command : foreign) {
      redis.command("DEL", key);
      redis.command(command.toArray(String[]::new));
      for (int left = 4; left >= 0; left--) {
        assertThat(acquire(store, FIVE, "a").limits().get(0).remaining()).isEqualTo(left);
      }
      assertThat(acquire(store, FIVE, "a").allowed()).isFalse();
    }
  }

  @Test
  @DisplayName(
      "of a few callers that set out one behind the other each gets the reply to its own call")
  void givesEachOfAFewCallersItsOwnReply() throws Exception {
    try (FaultProxy proxy = FaultProxy.inFrontOf(redis.port())) {
      SharedStore store = open(proxy.url());
      proxy.delayReplies(DEADLINE.dividedBy(5));
      for (int round = 1; round <= 5; round++) {
        long before = executions();
        int taken = round;
        ExecutorService callers = Executors.newFixedThreadPool(4);
        List<Future<Long>> left = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
          int caller = c;
          left.add(
              callers.submit(
                  () -> {
                    Policy own = Policy.named("own-" + caller).limits(50 + caller + "/1h").build();
                    return acquire(store, own, "key").limits().get(0).remaining();
                  }));
          // Its reply is still on its way when the next one sets out.
          await().pollInterval(Duration.ofMillis(1)).until(() -> executions() > before + caller);
        }
        for (int c = 0; c < 4; c++) {
          assertThat(left.get(c).get(60, TimeUnit.SECONDS)).isEqualTo(50 + c - taken);
        }
        callers.shutdown();
      }
    }
  }

  @Test
  @DisplayName("nor are those mixed up that set out side by side, whatever happens to them")
  void keepsLoneCallsApart() throws Exception {
    keepLoneCallsApart(1_000);
  }

  @Test
  @Tag("deep")
  @DisplayName("nor are those mixed up that set out side by side, a hundred thousand times")
  void keepsManyLoneCallsApart() throws Exception {
    keepLoneCallsApart(25_000);
  }

  /** With connections that are killed, a script that is lost, and callers that are interrupted. */
  private void keepLoneCallsApart(int answersEach) throws Exception {
    SharedStore store = open(redis.url());
    ExecutorService threads = Executors.newFixedThreadPool(5);
    List<Future<Integer>> running = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int thread = t;
      running.add(threads.submit(() -> callThroughTrouble(store, thread, answersEach)));
    }
    Future<Integer> trouble = threads.submit(() -> makeTrouble(running));
    for (Future<Integer> thread : running) {
      assertThat(thread.get(120, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(answersEach);
    }
    assertThat(trouble.get(10, TimeUnit.SECONDS)).as("times").isPositive();
    threads.shutdown();
  }

  private static int callThroughTrouble(SharedStore store, int thread, int answers) {
    SplittableRandom random = new SplittableRandom(thread);
    Policy policy = Policy.named("lone-" + thread).limits((4_000_000 + thread) + "/1h").build();
    int answered = 0;
    long used = 0;
    for (int i = 0; answered < answers; i++) {
      boolean interrupted = random.nextInt(20) == 0;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      try {
        StoreReply reply = acquire(store, policy, "key");
        long spent = 4_000_000 + thread - reply.limits().get(0).remaining();
        assertThat(spent).isBetween(used + 1, i + 1L);
        used = spent;
        answered++;
      } catch (StoreException lost) {
        boolean unused = probes(store);
      }
      assertThat(Thread.interrupted()).isEqualTo(interrupted);
      LockSupport.parkNanos(random.nextInt(100_000));
    }
    return answered;
  }

  private static int makeTrouble(List<Future<Integer>> running) throws InterruptedException {
    int times = 0;
    do {
      Thread.sleep(50);
      redis.command("CLIENT", "KILL", "TYPE", "normal");
      redis.command("SCRIPT", "FLUSH");
      times++;
    } while (!running.stream().allMatch(Future::isDone));
    return times;
  }

  @Test
  @DisplayName("ST-078: no fault of the wire reaches a caller as anything but a StoreException")
  void survivesGarbage() throws Exception {
    List<String> replies =
        List.of(
            "garbage\r\n",
            "$536870912\r\n",
            "*3\r\n:1\r\n",
            ":\r\n",
            "+OK\r\n",
            "*-1\r\n",
            "*1\r\n".repeat(100_000) + ":1\r\n");
    for (String reply : replies) {
      try (ScriptedServer server = new ScriptedServer(reply)) {
        SharedStore store = RedisStore.at(server.url()).deadline(DEADLINE).open();
        opened.add(store);
        store.start(samples::add);
        for (int i = 0; i < 8; i++) {
          assertThat(probes(store) || answers(store)).as("%.40s", reply).isFalse();
        }
        assertThat(server.calls()).as("calls answered with %.40s", reply).isPositive();
      }
    }
  }

  private SharedStore open(String url) {
    SharedStore store = RedisStore.at(url).readableKeys().deadline(DEADLINE).open();
    opened.add(store);
    store.start(samples::add);
    await().atMost(Duration.ofSeconds(3)).until(() -> probes(store));
    return store;
  }

  private static StoreReply acquire(SharedStore store, Policy policy, String key) {
    return decide(store, List.of(Charge.of(policy, key)));
  }

  private static StoreReply decide(SharedStore store, List<Charge> charges) {
    int limits = charges.stream().mapToInt(charge -> charge.policy().limits().size()).sum();
    return store.decide(charges, new long[limits], System.nanoTime() + DEADLINE.toNanos());
  }

  private static boolean answers(SharedStore store) {
    try {
      decide(store, List.of(new Charge(FIVE, "look", 0)));
      return true;
    } catch (StoreException silent) {
      return false;
    }
  }

  private static boolean probes(SharedStore store) {
    try {
      store.probe(store.nodes().get(0), System.nanoTime() + DEADLINE.toNanos());
      return true;
    } catch (StoreException failed) {
      return false;
    }
  }

  private long failures() {
    return samples.stream().filter(sample -> sample.fault() != null).count();
  }

  private static long executions() {
    return redis.commandStats().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("eval"))
        .mapToLong(entry -> entry.getValue().calls() - entry.getValue().failed())
        .sum();
  }
}
