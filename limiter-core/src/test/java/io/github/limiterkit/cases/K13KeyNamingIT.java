package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.github.limiterkit.Charge;
import io.github.limiterkit.Decision;
import io.github.limiterkit.Policy;
import io.github.limiterkit.RateLimiter;
import io.github.limiterkit.redis.RedisStore;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.setup.LogCapture;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Key naming: collision, hostile or empty subject, scope. */
@ParameterizedClass(name = "{0}")
@EnumSource
class K13KeyNamingIT {

  @RegisterExtension static final TestRedis redis = new TestRedis();

  /** Every way in which keys are kept. */
  enum Naming {
    MEMORY,
    HASHED,
    READABLE,
    SECRET
  }

  @Parameter Naming naming;

  private LimiterKit kit;
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    if (naming == Naming.MEMORY) {
      kit = LimiterKit.inMemory().policy(Kits.plenty()).build();
    } else {
      RedisStore store = RedisStore.at(redis.url());
      RedisStore named =
          switch (naming) {
            case READABLE -> store.readableKeys();
            case SECRET -> store.keySecret(new byte[] {1, 2, 3});
            default -> store;
          };
      kit = Kits.shared(Kits.over(named, Kits.AMPLE, Kits.plenty()).build());
    }
    limiter = Kits.limiter(kit);
  }

  @AfterEach
  void close() {
    kit.close();
  }

  @Test
  @DisplayName("ST-035 two policies with the same window and subject have nothing in common")
  void keepsPoliciesApart() {
    Policy login = policy("login", "5/1m");
    Policy api = policy("api", "100/1m");
    for (int i = 0; i < 50; i++) {
      assertThat(ask(api, "user:ada").allowed()).isTrue();
    }
    assertThat(Answers.left(look(login, "user:ada"))).isEqualTo(5);
    assertThat(Answers.left(ask(login, "user:ada"))).isEqualTo(4);
    assertThat(Answers.left(look(api, "user:ada"))).isEqualTo(50);
  }

  @Test
  @DisplayName("ST-035 names and subjects that could be glued together stay apart")
  void keepsApartWhatCouldBeGluedTogether() {
    List<List<String>> pairs =
        List.of(
            List.of("a", "b-c"),
            List.of("a-b", "c"),
            List.of("a", "b:c"),
            List.of("a_b", "c"),
            List.of("a", "_bc"),
            List.of("a", "b}:1:60000"),
            List.of("a", "b"),
            List.of("a", "{b}"),
            List.of("a", "b%3Ac"),
            List.of("a", ":"),
            List.of("a", "::"),
            List.of("a1", "0"),
            List.of("a", "10"));
    for (List<String> pair : pairs) {
      assertThat(Answers.left(ask(policy(pair.get(0), "2/1m"), pair.get(1))))
          .as("%s", pair)
          .isEqualTo(1);
    }
  }

  @Test
  @DisplayName("ST-035 property: equal keys come from equal names, rules and subjects only")
  void givesDifferentTriplesDifferentKeys() {
    SplittableRandom random = new SplittableRandom(20_260_035);
    String alphabet = "ab:{}%-/\\ \u0000\r\n\"'é😀";
    Set<List<String>> triples = new HashSet<>();
    for (int i = 0; i < 1_500; i++) {
      String name = "ab-_".charAt(random.nextInt(2)) + "-".repeat(random.nextInt(3));
      String window = List.of("1m", "10m", "2m").get(random.nextInt(3));
      StringBuilder subject = new StringBuilder();
      for (int c = 1 + random.nextInt(4); c > 0; c--) {
        subject.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      boolean isNew = triples.add(List.of(name, window, subject.toString()));
      Decision looked = look(policy(name, "9/" + window), subject.toString());
      if (isNew) {
        assertThat(Answers.left(looked)).as("%s %s %s", name, window, subject).isEqualTo(9);
      }
      if (Answers.left(looked) > 0) {
        ask(policy(name, "9/" + window), subject.toString());
      }
    }
    if (naming != Naming.MEMORY) {
      Set<String> keys = new TreeSet<>(redis.lifetimes().keySet());
      keys.removeIf(key -> key.contains(":limiterkit-"));
      assertThat(keys).as("keys in Redis, the kit's own apart").hasSameSizeAs(triples);
    }
  }

  @Test
  @DisplayName("ST-036 hostile subjects stay distinct, and keys in Redis short and printable")
  void keepsHostileSubjectsDistinct() {
    List<String> subjects =
        new ArrayList<>(
            List.of(
                "\0",
                "a\0",
                "a\r\nSET x y\r\n",
                "a b",
                "a  b",
                "\"a\"",
                "'a'",
                "\ud83d",
                "\ud83e",
                "\ude00",
                "?",
                "\ufffd",
                "😀",
                "😁",
                "é",
                "e\u0301",
                "\u202eevil",
                "..",
                "*",
                "{}",
                "}{",
                "a\tb",
                "\u001b[31m"));
    for (int length : new int[] {199, 200, 201, 255, 256, 257, 512, 100_000}) {
      subjects.add("x".repeat(length));
      subjects.add("x".repeat(length - 1) + "y");
      subjects.add("é".repeat(length));
      subjects.add("\ud83d".repeat(length));
      subjects.add("\ud83e".repeat(length));
    }
    Policy policy = policy("p", "2/1m");
    try (LogCapture log = new LogCapture()) {
      for (String subject : subjects) {
        assertThat(Answers.left(ask(policy, subject))).isEqualTo(1);
      }
      for (String subject : subjects) {
        assertThat(Answers.left(ask(policy, subject))).isZero();
      }
      for (Level level : List.of(Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR)) {
        assertThat(String.join("", log.at(level))).doesNotContain("\0", "\r", "\n", "\u001b");
      }
    }
    if (naming != Naming.MEMORY) {
      Set<String> keys = new TreeSet<>(redis.lifetimes("p").keySet());
      assertThat(keys).hasSize(subjects.size());
      assertThat(keys).allSatisfy(key -> assertThat(key).matches("[!-~]{1,512}"));
    }
  }

  @Test
  @DisplayName("ST-036 an empty subject is refused, naming the policy")
  void refusesAnEmptySubject() {
    assertThatThrownBy(() -> kit.acquire("plenty", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"plenty\"");
  }

  @Test
  @DisplayName("ST-036 a subject of a megabyte costs less than 5 ms")
  void isQuickWithAHugeSubject() {
    Policy policy = policy("p", "1000000/1m");
    // Its own time: a busy machine is not the kit's.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (String character : List.of("x", "é", "\u20ac", "\ud83d")) {
      String huge = character.repeat(1 << 20);
      long best = Long.MAX_VALUE;
      for (int i = 0; i < 40; i++) {
        // A new string each time, as it comes from a request.
        String subject = i + huge;
        long began = threads.getCurrentThreadCpuTime();
        ask(policy, subject);
        best = Math.min(best, threads.getCurrentThreadCpuTime() - began);
      }
      assertThat(best).as(character).isLessThan(Duration.ofMillis(5).toNanos());
    }
  }

  private static Policy policy(String name, String limits) {
    return Policy.named(name).limits(limits).build();
  }

  private Decision ask(Policy policy, String subject) {
    return limiter.acquire(Charge.of(policy, subject));
  }

  private Decision look(Policy policy, String subject) {
    return limiter.acquire(new Charge(policy, subject, 0));
  }
}
