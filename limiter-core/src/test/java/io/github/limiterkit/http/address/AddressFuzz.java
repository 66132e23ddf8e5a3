package io.github.limiterkit.http.address;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.limiterkit.testing.FuzzRuns;
import org.junit.jupiter.api.AfterAll;

/** Addresses and networks. */
class AddressFuzz {

  private static final FuzzRuns RUNS = new FuzzRuns();

  private final HostileAddressesPropertyTest properties = new HostileAddressesPropertyTest();

  @FuzzTest(maxDuration = "8s")
  @DictionaryEntries({"::ffff:1.2.3.4", "[2001:db8::1]", "10.0.0.0/8", "fe80::1%eth0", "::/0"})
  void readsAddresses(FuzzedDataProvider data) {
    RUNS.count();
    int bits = data.consumeInt(-1, 130);
    String text = data.consumeRemainingAsString();
    properties.groupsWhateverAContainerSays(text);
    properties.readsNetworksOrRefusesThem(text, bits);
  }

  @AfterAll
  static void assertFuzzed() {
    RUNS.assertMany();
  }
}
