package io.github.limiterkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The guide warns of what only an operator can put right. */
class UserGuideTest {

  private static String guide() throws IOException {
    return Files.readString(Path.of("..", "docs", "user-guide.md")).replaceAll("\\s+", " ");
  }

  @Test
  @DisplayName("IP-2: not twice, if the container does it already")
  void warnsOfBelievingAHeaderTwice() throws IOException {
    assertThat(guide())
        .contains(
            "**Leave this off if the container does it already**",
            "`RemoteIpValve`",
            "`ForwardedRequestCustomizer`",
            "the header would be believed twice");
  }

  @Test
  @DisplayName("OP-2, HT-021: NAT64 is one client, and what to do about it")
  void tellsOfNat64() throws IOException {
    assertThat(guide()).contains("`64:ff9b::/96` (NAT64)", "ipv4-in: [64:ff9b::/96]");
  }

  @Test
  @DisplayName("JX-3: locators run before a policy by user or by annotation is asked")
  void warnsOfLocators() throws IOException {
    assertThat(guide())
        .contains(
            "Locators run before that: if one is expensive, give its path a route by address.");
  }
}
