package io.github.limiterkit.setup;

import io.github.limiterkit.Limit;
import io.github.limiterkit.http.HeaderMode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Keys;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * The settings of a policy that are one text, by the word that files and init-params have for them.
 */
enum PolicySetting {
  LIMITS("limits", (policy, text) -> limits(policy, Words.withoutLastComma(text))),
  KEY("key", (policy, text) -> policy.key(Keys.parse(text))),
  COST("cost", (policy, text) -> policy.cost(Words.number(text, 1, Limit.MAX_PERMITS))),
  COUNT("count", (policy, text) -> policy.count(Words.withoutLastComma(text))),
  STATUS("status", (policy, text) -> policy.status((int) Words.number(text, 100, 599))),
  HEADERS("headers", (policy, text) -> policy.headers(HeaderMode.parse(text))),
  SCOPE("scope", (policy, text) -> policy.scope(Words.scope(text))),
  WHEN_STORE_FAILS(
      "when-store-fails", (policy, text) -> policy.whenStoreFails(Words.posture(text))),
  SAFETY("safety", (policy, text) -> policy.safety(Words.fraction(text))),
  SHADOW("shadow", (policy, text) -> policy.shadow(Words.truth(text))),
  RETRY_AFTER_HINT("retry-after-hint", (policy, text) -> policy.retryAfterHint(Words.time(text)));

  /** In the order in which the documentation shows them. */
  static final List<String> WORDS = Arrays.stream(values()).map(PolicySetting::word).toList();

  private final String word;

  @SuppressWarnings("ImmutableEnumChecker") // it keeps nothing
  private final BiConsumer<HttpPolicy.Builder, String> reader;

  PolicySetting(String word, BiConsumer<HttpPolicy.Builder, String> reader) {
    this.word = word;
    this.reader = reader;
  }

  String word() {
    return word;
  }

  /** Whether a file may write it as a list, too. */
  boolean mayBeList() {
    return this == COUNT;
  }

  /**
   * Sets it.
   *
   * @param name of the policy, which the reader of a message knows from the place
   * @throws IllegalArgumentException if the text cannot be read
   */
  void set(HttpPolicy.Builder policy, String name, String text) {
    try {
      reader.accept(policy, text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          Words.without(wrong, "policy \"" + name + "\": ", word + ": "), wrong);
    }
  }

  /**
   * Adds a tier.
   *
   * @throws IllegalArgumentException if its name or its limits cannot be read
   */
  static void tier(HttpPolicy.Builder policy, String tier, String limits) {
    String text = Words.withoutLastComma(limits);
    Limit.parseList(text).forEach(Objects::requireNonNull); // for a message without the names
    policy.tier(tier, text);
  }

  /**
   * Makes the policy out of its settings.
   *
   * @throws IllegalArgumentException if they do not fit together
   */
  static HttpPolicy build(HttpPolicy.Builder policy, String name) {
    try {
      return policy.build();
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(Words.without(wrong, "policy \"" + name + "\": "), wrong);
    }
  }

  private static void limits(HttpPolicy.Builder policy, String text) {
    // Read on its own first, for a message without the policy's name, which the reader knows.
    Limit.parseList(text);
    policy.limits(text);
  }
}
