package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

  private static final KeyResolver API_KEY = Keys.header("X-Api-Key");

  private static FakeRequest request() {
    return FakeRequest.get("/");
  }

  @Test
  @DisplayName("IP-16: keys name their kind")
  void namesKinds() {
    FakeRequest request = request().user("203.0.113.9").header("x-api-key", "203.0.113.9");

    assertThat(Keys.clientAddress().resolve(request)).isEqualTo("ip:203.0.113.9");
    assertThat(Keys.principal().resolve(request)).isEqualTo("user:203.0.113.9");
    assertThat(Keys.constant("203.0.113.9").resolve(request)).isEqualTo("const:203.0.113.9");
    assertThat(API_KEY.resolve(request)).matches("hdr:x-api-key:[0-9a-f]{32}");
    assertThat(Keys.custom("tenant", any -> "203.0.113.9").resolve(request))
        .isEqualTo("tenant:203.0.113.9");
  }

  @Test
  void groupsIpv6() {
    assertThat(Keys.clientAddress().resolve(request().from("[2001:db8:1:2:a:b:c:d]")))
        .isEqualTo("ip:2001:db8:1:2::/64");
  }

  @DisplayName("IP-15, HT-026, HT-027: no address is a constant key")
  @ParameterizedTest(name = "<{0}>")
  @NullSource
  @ValueSource(strings = {"", "unknown", "/tmp/socket", "host.example"})
  void hasAKeyWithoutAddress(String address) {
    assertThat(Keys.clientAddress().resolve(request().from(address))).isEqualTo("unknown");
  }

  @Test
  @DisplayName("OP-3, HT-039: two lines are no key, neither the first nor the last")
  void refusesTwoLines() {
    assertThat(API_KEY.resolve(request().header("X-Api-Key", "a").header("X-API-KEY", "b")))
        .isNull();
    assertThat(API_KEY.resolve(request().header("X-Api-Key", "a").header("X-Api-Key", "a")))
        .isNull();
  }

  @Test
  void refusesEmptyLines() {
    assertThat(API_KEY.resolve(request())).isNull();
    assertThat(API_KEY.resolve(request().header("X-Api-Key", ""))).isNull();
    assertThat(API_KEY.resolve(request().header("X-Api-Key", " "))).isNull();
    assertThat(Keys.principal().resolve(request())).isNull();
    assertThat(Keys.principal().resolve(request().user(""))).isNull();
    assertThat(Keys.custom("tenant", any -> null).resolve(request())).isNull();
    assertThat(Keys.custom("tenant", any -> "").resolve(request())).isNull();
  }

  @Test
  @DisplayName("HT-036, HT-047, HT-157: values are kept apart and kept secret")
  void hashesHeaders() {
    Set<String> keys = new HashSet<>();
    String longValue = "v".repeat(7000);
    for (String value :
        new String[] {
          "null",
          "default",
          "anonymous",
          "unknown",
          "-1",
          "ip:127.0.0.1",
          "a",
          "A",
          longValue + "a",
          longValue + "b",
          "\u00e9",
          "\u00e8",
          "\u0001",
          "SECRET-123"
        }) {
      String key = API_KEY.resolve(request().header("X-Api-Key", value));
      assertThat(key).hasSize("hdr:x-api-key:".length() + 32);
      assertThat(keys.add(key)).isTrue();
    }
    assertThat(keys.toString()).doesNotContain("SECRET");
    assertThat(API_KEY.resolve(request().header("X-Api-Key", " a "))).isIn(keys);
  }

  @ParameterizedTest
  @DisplayName("OP-3: one credential is one key, however its scheme is spelt")
  @ValueSource(strings = {"Authorization", "Proxy-Authorization", "AUTHORIZATION"})
  void spellsCredentialsInOneWay(String name) {
    KeyResolver resolver = Keys.header(name);
    String key = resolver.resolve(request().header(name, "Bearer AbC"));
    assertThat(key).matches("hdr:" + name.toLowerCase(Locale.ROOT) + ":[0-9a-f]{32}");
    for (String same :
        new String[] {"bearer AbC", "BEARER   AbC", "Bearer\tAbC", " bEARER \t AbC "}) {
      assertThat(resolver.resolve(request().header(name, same))).as(same).isEqualTo(key);
    }
    for (String other : new String[] {"Bearer abc", "Basic AbC", "BearerAbC", "AbC", "abc"}) {
      assertThat(resolver.resolve(request().header(name, other)))
          .as(other)
          .startsWith("hdr:")
          .isNotEqualTo(key);
    }
    assertThat(resolver.resolve(request().header(name, "AbC")))
        .as("no scheme")
        .isNotEqualTo(resolver.resolve(request().header(name, "abc")));
    assertThat(resolver.resolve(request())).isNull();
    assertThat(resolver.resolve(request().header(name, " "))).isNull();
    assertThat(resolver.resolve(request().header(name, "a").header(name, "b"))).isNull();
    assertThat(API_KEY.resolve(request().header("X-Api-Key", "Bearer AbC")))
        .as("no credentials of HTTP")
        .isNotEqualTo(API_KEY.resolve(request().header("X-Api-Key", "bearer AbC")));
  }

  @Test
  void asksTheOtherForWhatTheFirstDoesNotFind() {
    KeyResolver either = API_KEY.orElse(Keys.principal()).orElse(Keys.clientAddress());

    assertThat(either.resolve(request().header("X-Api-Key", "a").user("u"))).startsWith("hdr:");
    assertThat(either.resolve(request().user("u"))).isEqualTo("user:u");
    assertThat(either.resolve(request())).isEqualTo("ip:203.0.113.9");
    KeyResolver empty = any -> "";
    assertThat(empty.orElse(Keys.constant("c")).resolve(request())).isEqualTo("const:c");
  }

  @Test
  @DisplayName("JX-1, JX-2: what is known before authentication")
  void knowsWhatNeedsAuthentication() {
    assertThat(Keys.clientAddress().needsPrincipal()).isFalse();
    assertThat(API_KEY.needsPrincipal()).isFalse();
    assertThat(Keys.constant("c").needsPrincipal()).isFalse();
    assertThat(Keys.principal().needsPrincipal()).isTrue();
    assertThat(Keys.custom("tenant", any -> "a").needsPrincipal()).isTrue();
    assertThat(API_KEY.orElse(Keys.clientAddress()).needsPrincipal()).isFalse();
    assertThat(Keys.principal().orElse(Keys.clientAddress()).needsPrincipal()).isTrue();
    KeyResolver lambda = any -> "x:y";
    assertThat(lambda.needsPrincipal()).isTrue();
    assertThat(API_KEY.orElse(lambda).needsPrincipal()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "client-address|client-address",
        "principal|principal",
        "principal, else client-address|principal, else client-address",
        "  principal ,  else   client-address  |principal, else client-address",
        "header:X-Api-Key|header:X-Api-Key",
        "header: X-Api-Key|header:X-Api-Key",
        "constant:every body|constant:every body",
        "header:A, else principal, else constant:c|header:A, else principal, else constant:c",
      })
  void readsWords(String words, String described) {
    KeyResolver key = Keys.parse(words);
    assertThat(Keys.describe(key)).isEqualTo(described);
    assertThat(Keys.describe(Keys.parse(described))).isEqualTo(described);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "clientaddress|did you mean \"client-address\"",
        "Principal|did you mean \"principal\"",
        "principle|did you mean \"principal\"",
        "headr:X|did you mean \"header:NAME\"",
        "const|did you mean \"constant:TEXT\"",
        "session:sid|there is no key \"session:sid\" (keys:",
        "cokie:sid|did you mean \"cookie:NAME\"",
        "cookie:a b|is not the name of a cookie",
        "attribute:|needs a name",
        "principal + ip|there is no key \"ip\"",
        "principal + refuse|refuse is no key to be joined",
        "refuse, else principal|refuse is the last word",
        "''|there is no key \"\" (keys:",
        "principal, client-address|begins with else",
        "principal, else|begins with else",
        "principal, else ip|there is no key \"ip\"",
        "header:|is not the name of a header",
        "header:X Api|is not the name of a header",
        "constant:|needs a text",
      })
  void teachesWords(String words, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keys.parse(words))
        .withMessageContaining(message);
  }

  @Test
  void refusesKindsThatAreTaken() {
    for (String kind :
        new String[] {"ip", "user", "hdr", "const", "all", "cookie", "", "A", "a:b", "1a"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> Keys.custom(kind, any -> "x"));
    }
  }

  @Test
  @DisplayName("OP-8, HT-043: the default locale makes no difference")
  void ignoresTheDefaultLocale() {
    Locale before = Locale.getDefault();
    String expected = Keys.header("X-CLIENT-ID").resolve(request().header("x-client-id", "I"));
    try {
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      assertThat(Keys.header("X-CLIENT-ID").resolve(request().header("x-client-id", "I")))
          .isEqualTo(expected)
          .startsWith("hdr:x-client-id:");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  @DisplayName("HT-040: a cookie's value, hashed; a cookie that is there twice is no key")
  void hashesCookies() {
    KeyResolver sid = Keys.cookie("sid");
    String key = sid.resolve(request().header("Cookie", "a=b; sid=SECRET-1; sidx=3"));
    assertThat(key).matches("cookie:sid:[0-9a-f]{32}");
    assertThat(sid.resolve(request().header("cookie", "sid=SECRET-1").header("Cookie", "a=b")))
        .isEqualTo(key);
    assertThat(sid.resolve(request().header("Cookie", "sid=SECRET-2"))).isNotEqualTo(key);
    for (String none : new String[] {"", "sid", "sid=", "Sid=x", "asid=x", "sid=1; sid=2", ";;="}) {
      assertThat(sid.resolve(request().header("Cookie", none))).as(none).isNull();
    }
    assertThat(sid.resolve(request())).isNull();
  }

  @Test
  void readsAttributes() {
    FakeRequest request = request();
    KeyResolver plan = Keys.attribute("plan");
    assertThat(plan.resolve(request)).isNull();
    assertThat(plan.needsPrincipal()).isTrue();
    request.attribute("plan", 42);
    assertThat(plan.resolve(request)).isEqualTo("attr:plan:42");
  }

  @Test
  @DisplayName("HT-044: a user at an address")
  void joinsKeys() {
    KeyResolver both = Keys.principal().and(Keys.clientAddress());
    assertThat(both.resolve(request().user("bob"))).isEqualTo("all:user:bob+ip:203.0.113.9");
    assertThat(both.resolve(request())).isNull();
    assertThat(both.needsPrincipal()).isTrue();
    assertThat(Keys.parse("header:X-A + client-address").needsPrincipal()).isFalse();
  }

  @ParameterizedTest
  @DisplayName("HT-045, HT-046, HT-051: different parts make different keys")
  @CsvSource({
    "aa, b, a, ab",
    "x:/api, /y, x, /api:/y",
    "::1, 2, ::, 1:2",
    "a+b, c, a, b+c",
    "a%2B, b, a+, b",
    "a|b, c, a, b|c",
    "10.0.0.1, 1/x, 10.0.0.11, /x"
  })
  void keepsJoinedKeysApart(String a, String b, String c, String d) {
    assertThat(joined(a, b)).isNotEqualTo(joined(c, d)).isEqualTo(joined(a, b));
  }

  private static String joined(String first, String second) {
    return Keys.custom("one", any -> first)
        .and(Keys.custom("two", any -> second))
        .resolve(request());
  }
}
