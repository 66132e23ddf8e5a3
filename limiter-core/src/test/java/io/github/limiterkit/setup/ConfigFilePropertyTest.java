package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Whatever a file holds, what is wrong with it is noted, and nothing is thrown. */
public class ConfigFilePropertyTest {

  private static final String GOOD =
      """
      store: { url: "${REDIS:-redis://localhost}", namespace: shop, deadline: 50ms }
      degraded: { fleet-size: 4 }
      policies:
        per-client: { limits: "100/1m, 10/1s", key: client-address }
        login:
          limits: 5/15m
          key: principal, else header:X-User
      routes:
        - { path: /*, policies: [per-client] }
        - path: /login
          methods: [POST]
          policies: [login]
      exempt: [/health, "*.css"]
      """;

  /** What hostile text is made of. */
  public static final List<String> PIECES =
      List.of(
          "policies:",
          "login:",
          "limits:",
          "routes:",
          "- ",
          "  ",
          "\n",
          "{",
          "}",
          "[",
          "]",
          ",",
          ": ",
          "'",
          "\"",
          "&a ",
          "*a",
          "!!x ",
          "|",
          ">",
          "?",
          "#",
          "%",
          "---\n",
          "...\n",
          "\t",
          "5/15m",
          "${X:-1}",
          "${",
          "\u0000",
          "\uFEFF",
          "\u2028",
          "\uD83D\uDE00",
          "<<: ",
          "~",
          "0x1",
          "path: /*",
          "1e999",
          "\\",
          "@",
          "`");

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  public void survivesBytes(@ForAll("bytes") byte[] bytes) {
    read(bytes);
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  public void survivesPieces(@ForAll("pieces") String file) {
    read(file.getBytes(StandardCharsets.UTF_8));
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  public void survivesAGoodFileWithAPieceChanged(
      @ForAll("places") int at, @ForAll("places") int length, @ForAll("piece") String piece) {
    int from = at % GOOD.length();
    int to = Math.min(GOOD.length(), from + length % 8);
    read((GOOD.substring(0, from) + piece + GOOD.substring(to)).getBytes(StandardCharsets.UTF_8));
  }

  @Provide
  Arbitrary<byte[]> bytes() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(200);
  }

  @Provide
  Arbitrary<String> pieces() {
    return piece().list().ofMaxSize(40).map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<String> piece() {
    return Arbitraries.of(PIECES);
  }

  @Provide
  Arbitrary<Integer> places() {
    return Arbitraries.integers().between(0, 10_000);
  }

  private static void read(byte[] bytes) {
    Errors errors = new Errors("limiter.yaml");
    ConfigFile.read(bytes, new Variables(name -> null), new Blueprint(), errors);
    for (String line : errors.lines()) {
      assertThat(line.length()).as(line).isBetween(10, 3000);
    }
  }
}
