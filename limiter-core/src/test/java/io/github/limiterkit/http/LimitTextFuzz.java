package io.github.limiterkit.http;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.limiterkit.testing.FuzzRuns;
import org.junit.jupiter.api.AfterAll;

/** Limits as they are configured. */
class LimitTextFuzz {

  private static final FuzzRuns RUNS = new FuzzRuns();

  private final HostileRequestsPropertyTest properties = new HostileRequestsPropertyTest();

  @FuzzTest(maxDuration = "8s")
  @DictionaryEntries({"100/1m", ", ", "ms", "1/1s", "999999999", "/15m"})
  void readsLimits(FuzzedDataProvider data) {
    RUNS.count();
    properties.readsLimitsOrRefusesThem(data.consumeRemainingAsString());
  }

  @AfterAll
  static void assertFuzzed() {
    RUNS.assertMany();
  }
}
