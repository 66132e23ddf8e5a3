package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.address.HostileAddressesPropertyTest;
import io.github.limiterkit.setup.ConfigFilePropertyTest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The properties on hostile input once more, with a million inputs in all, and with long ones: what
 * takes four times the text may take little more than four times the work.
 */
@Tag("deep")
class MillionHostileInputsTest {

  private static final int INPUTS = 1_000_000;
  private static final int SHORT = 1024;
  private static final int LONG = 4096;
  private static final double MOST_GROWTH = 6;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final HostileRequestsPropertyTest requests = new HostileRequestsPropertyTest();
  private final HostileAddressesPropertyTest addresses = new HostileAddressesPropertyTest();
  private final ConfigFilePropertyTest files = new ConfigFilePropertyTest();

  /** One property, of which the test is that it throws nothing. */
  @FunctionalInterface
  private interface Property {
    void hold(Input input);
  }

  /** Where a property takes its input from. */
  private interface Input {
    String text(List<String> pieces);

    int number(int below);
  }

  private Map<String, Property> properties() {
    Map<String, Property> all = new LinkedHashMap<>();
    List<String> paths = HostileRequestsPropertyTest.PIECES;
    List<String> hops = HostileAddressesPropertyTest.PIECES;
    List<String> yaml = ConfigFilePropertyTest.PIECES;
    all.put(
        "decidesOnEveryRequest",
        in -> requests.decidesOnEveryRequest(in.text(paths), in.text(paths), in.text(paths)));
    all.put("hasOneSpellingForAPath", in -> requests.hasOneSpellingForAPath(in.text(paths)));
    all.put("writesABodyInSomeForm", in -> requests.writesABodyInSomeForm(in.text(paths)));
    all.put("readsLimitsOrRefusesThem", in -> requests.readsLimitsOrRefusesThem(limit(in)));
    all.put(
        "readsPatternsAndKeysOrRefusesThem",
        in -> requests.readsPatternsAndKeysOrRefusesThem(in.text(paths)));
    all.put(
        "givesAnAddressThatSomebodyReported",
        in -> addresses.givesAnAddressThatSomebodyReported(lines(in, hops)));
    all.put(
        "cannotChangeWhatTheProxySays",
        in -> addresses.cannotChangeWhatTheProxySays(lines(in, hops)));
    all.put(
        "groupsWhateverAContainerSays",
        in -> addresses.groupsWhateverAContainerSays(in.text(hops)));
    all.put(
        "readsNetworksOrRefusesThem",
        in -> addresses.readsNetworksOrRefusesThem(in.text(hops), in.number(132) - 1));
    all.put("survivesBytes", in -> files.survivesBytes(bytes(in.text(yaml), in)));
    all.put("survivesPieces", in -> files.survivesPieces(in.text(yaml)));
    all.put(
        "survivesAGoodFileWithAPieceChanged",
        in ->
            files.survivesAGoodFileWithAPieceChanged(
                in.number(10_000), in.number(10_000), in.text(yaml)));
    return all;
  }

  private static String limit(Input in) {
    return in.text(HostileRequestsPropertyTest.LIMIT_PIECES);
  }

  private static List<String> lines(Input in, List<String> pieces) {
    List<String> lines = new ArrayList<>();
    for (int i = in.number(4); i >= 0; i--) {
      lines.add(in.text(pieces));
    }
    return lines;
  }

  /** Not always UTF-8. */
  private static byte[] bytes(String text, Input in) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0) {
      bytes[in.number(bytes.length)] = (byte) in.number(256);
    }
    return bytes;
  }

  @Test
  void survivesAMillionInputs() {
    Map<String, Property> properties = properties();
    long seed = System.nanoTime();
    Input input = randomly(new Random(seed), 10);
    int each = INPUTS / properties.size() + 1;
    int executed = 0;
    for (Map.Entry<String, Property> property : properties.entrySet()) {
      for (int i = 0; i < each; i++) {
        try {
          property.getValue().hold(input);
        } catch (RuntimeException | AssertionError wrong) {
          throw new AssertionError(property.getKey() + ", seed " + seed + ", input " + i, wrong);
        }
        executed++;
      }
    }
    System.out.printf(
        "%,d hostile inputs in all, %,d for each of %d properties, seed %d%n",
        executed, each, properties.size(), seed);
    assertThat(properties).hasSize(12);
    assertThat(executed).isGreaterThanOrEqualTo(INPUTS);
  }

  @Test
  void takesTimeByLength() {
    Map<String, Double> growth = new LinkedHashMap<>();
    properties()
        .forEach(
            (name, property) -> {
              work(property, LONG); // until it is compiled
              double less = work(property, SHORT);
              double more = work(property, LONG);
              growth.put(name, more / less);
            });
    growth.forEach((name, times) -> System.out.printf("%s: %.1f times for 4 times%n", name, times));
    assertThat(growth).hasSize(12);
    growth.forEach((name, times) -> assertThat(times).as(name).isLessThanOrEqualTo(MOST_GROWTH));
  }

  /** The least processor time of many rounds, which a loaded machine disturbs least. */
  private static double work(Property property, int length) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 15; round++) {
      Input input = ofLength(new Random(round), length);
      long before = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < 100; i++) {
        property.hold(input);
      }
      least = Math.min(least, THREADS.getCurrentThreadCpuTime() - before);
    }
    return least;
  }

  private static Input randomly(Random random, int mostPieces) {
    return new Input() {
      @Override
      public String text(List<String> pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(mostPieces + 1); i > 0; i--) {
          text.append(pieces.get(random.nextInt(pieces.size())));
        }
        return text.toString();
      }

      @Override
      public int number(int below) {
        return random.nextInt(below);
      }
    };
  }

  private static Input ofLength(Random random, int length) {
    return new Input() {
      @Override
      public String text(List<String> pieces) {
        StringBuilder text = new StringBuilder(length + 300);
        while (text.length() < length) {
          text.append(pieces.get(random.nextInt(pieces.size())));
        }
        text.setLength(length);
        return text.toString();
      }

      @Override
      public int number(int below) {
        return random.nextInt(below);
      }
    };
  }
}
