package io.github.limiterkit.http.address;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.limiterkit.testing.FuzzRuns;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** {@code Forwarded} and {@code X-Forwarded-For}, in one line or several. */
class ForwardedFuzz {

  private static final FuzzRuns RUNS = new FuzzRuns();

  private final HostileAddressesPropertyTest properties = new HostileAddressesPropertyTest();

  @FuzzTest(maxDuration = "8s")
  @DictionaryEntries({"for=", "\"[2001:db8::17]:4711\"", "10.0.0.7", ";proto=https", ", ", "\\\""})
  void readsLines(FuzzedDataProvider data) {
    RUNS.count();
    List<String> lines = new ArrayList<>();
    int most = data.consumeInt(1, 4);
    for (int i = 1; i < most; i++) {
      lines.add(data.consumeString(200));
    }
    lines.add(data.consumeRemainingAsString());
    properties.givesAnAddressThatSomebodyReported(lines);
    properties.cannotChangeWhatTheProxySays(lines);
  }

  @AfterAll
  static void assertFuzzed() {
    RUNS.assertMany();
  }
}
