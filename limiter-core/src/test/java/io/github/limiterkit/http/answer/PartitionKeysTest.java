package io.github.limiterkit.http.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.limiterkit.Charge;
import io.github.limiterkit.Policy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The parameter pk. */
class PartitionKeysTest {

  private static final String SECRET = "0123456789abcdef";
  private static final Policy PER_USER = Answering.policy("per-user", "100/1m");

  private static String written(PartitionKeys keys, Policy policy, String key) {
    StringBuilder field = new StringBuilder();
    keys.appendTo(field, Charge.of(policy, key));
    return field.toString();
  }

  @Test
  @DisplayName("RP-8, SF-5: HMAC-SHA-256 over the policy's name and the key, cut to 12 bytes")
  void isAMac() throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] code = mac.doFinal("per-user\0user:ada".getBytes(StandardCharsets.UTF_8));
    String text = Base64.getEncoder().encodeToString(Arrays.copyOf(code, 12));

    assertThat(written(PartitionKeys.of(SECRET), PER_USER, "user:ada"))
        .isEqualTo(";pk=:" + text + ":");
  }

  @Test
  @DisplayName("RP-8: nothing by default; another key, policy or secret is another code")
  void tellsQuotasApart() {
    PartitionKeys keys = PartitionKeys.of(SECRET);
    assertThat(written(PartitionKeys.NONE, PER_USER, "user:ada")).isEmpty();
    assertThat(written(keys, PER_USER, "user:ada"))
        .isNotEqualTo(written(keys, PER_USER, "user:bob"))
        .isNotEqualTo(written(keys, Answering.policy("other", "1/1s"), "user:ada"))
        .isNotEqualTo(written(PartitionKeys.of(SECRET + "!"), PER_USER, "user:ada"));
  }

  @Test
  @DisplayName("RP-8: a short secret is an error that does not repeat it")
  void refusesShortSecrets() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PartitionKeys.of("0123456789abcde"))
        .withMessage("the secret of partition keys has 15 characters; write 16 or more");
  }
}
