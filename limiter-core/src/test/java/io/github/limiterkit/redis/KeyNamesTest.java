package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.Limit;
import io.github.limiterkit.Policy;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeyNamesTest {

  private static final Policy POLICY = Policy.named("orders").limits("60/1m").build();
  private static final KeyNames READABLE = KeyNames.readable("shop");
  private static final KeyNames HASHED = KeyNames.hashed("shop");

  @Test
  void namesNamespacePolicySubjectFormatAndWindow() {
    String tag = READABLE.tag(POLICY, "user:customer-42");
    assertThat(KeyNames.key(tag, Limit.parse("60/1m")))
        .isEqualTo("{shop:orders:user%3Acustomer-42}:1:60000");
  }

  @Test
  void hashesSubjectsUnlessAskedNotTo() {
    assertThat(HASHED.tag(POLICY, "ip:203.0.113.9"))
        .doesNotContain("203")
        .matches("\\{shop:orders:[A-Za-z0-9_-]{22}}:1:");
  }

  @Test
  void aSecretMakesOtherNames() {
    KeyNames one = KeyNames.hashedWith("shop", new byte[] {1});
    KeyNames other = KeyNames.hashedWith("shop", new byte[] {2});
    assertThat(one.tag(POLICY, "a")).isNotEqualTo(other.tag(POLICY, "a"));
    assertThat(one.tag(POLICY, "a"))
        .isEqualTo(KeyNames.hashedWith("shop", new byte[] {1}).tag(POLICY, "a"));
    assertThatThrownBy(() -> KeyNames.hashedWith("shop", new byte[0]))
        .hasMessageContaining("empty");
  }

  @Test
  @DisplayName("ST-036: hostile subjects stay distinct, printable and short")
  void hostileSubjectsStayDistinctPrintableAndShort() {
    String million = "x".repeat(1_000_000);
    List<String> subjects =
        List.of(
            "a:b",
            "a%3Ab",
            "a{b}",
            "a b",
            "a\r\nb",
            "a\u0000b",
            "\"a\"",
            "'a'",
            "\ud800",
            "\udc00",
            "\ud83d\ude00",
            "é",
            "e\u0301",
            "%",
            "%25",
            million,
            million + "y",
            "é".repeat(150));
    for (KeyNames names : List.of(READABLE, HASHED)) {
      Set<String> keys = new HashSet<>();
      for (String subject : subjects) {
        String key = KeyNames.key(names.tag(POLICY, subject), Limit.parse("60/1m"));
        assertThat(key).matches("[\\x21-\\x7e]+");
        assertThat(key.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(512);
        assertThat(key.indexOf('}')).isEqualTo(key.lastIndexOf('}'));
        keys.add(key);
      }
      assertThat(keys).hasSameSizeAs(subjects);
    }
  }

  @Property(tries = 2_000)
  @Label("ST-035: equal keys come from equal subjects only")
  void equalKeysComeFromEqualSubjectsOnly(
      @ForAll @StringLength(max = 220) String one, @ForAll @StringLength(max = 220) String other) {
    assertThat(READABLE.tag(POLICY, one).equals(READABLE.tag(POLICY, other)))
        .isEqualTo(one.equals(other));
    assertThat(HASHED.tag(POLICY, one).equals(HASHED.tag(POLICY, other)))
        .isEqualTo(one.equals(other));
  }
}
