package io.github.limiterkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AddressKeysTest {

  private final AtomicInteger found = new AtomicInteger();
  private final AddressKeys keys = new AddressKeys(address -> "key:" + found.incrementAndGet());

  @Test
  void findsAKeyOnce() {
    String first = keys.of("192.0.2.1");

    assertThat(keys.of("192.0.2.".concat("1"))).isSameAs(first);
    assertThat(keys.of("192.0.2.2")).isNotEqualTo(first);
    assertThat(found).hasValue(2);
  }

  @Test
  void neverGivesOneAddressTheKeyOfAnother() {
    AddressKeys echo = new AddressKeys(address -> "ip:" + address);

    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 5 * AddressKeys.PLACES; i++) {
        String address = "10.0." + (i / 256) + "." + (i % 256);
        assertThat(echo.of(address)).isEqualTo("ip:" + address);
      }
      // Two texts of the same hash have one place.
      assertThat(echo.of("Aa")).isEqualTo("ip:Aa");
      assertThat(echo.of("BB")).isEqualTo("ip:BB");
    }
  }

  @Test
  void keepsNoLongText() {
    String text = "1".repeat(AddressKeys.LONGEST_KEPT + 1);

    assertThat(keys.of(text)).isNotEqualTo(keys.of(text));
    String longest = "1".repeat(AddressKeys.LONGEST_KEPT);
    assertThat(keys.of(longest)).isSameAs(keys.of(longest));
  }
}
