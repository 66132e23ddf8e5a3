package io.github.limiterkit.http;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.limiterkit.testing.FuzzRuns;
import org.junit.jupiter.api.AfterAll;

/** Paths as they are asked for, and patterns and keys as they are configured. */
class PathFuzz {

  private static final FuzzRuns RUNS = new FuzzRuns();

  private final HostileRequestsPropertyTest properties = new HostileRequestsPropertyTest();

  @FuzzTest(maxDuration = "8s")
  @DictionaryEntries({"/../", "/./", "//", ";a=b", "%2f", "%C3%A4", "{id}", "/*", "*.css", "else "})
  void readsPaths(FuzzedDataProvider data) {
    RUNS.count();
    String text = data.consumeRemainingAsString();
    properties.hasOneSpellingForAPath(text);
    properties.readsPatternsAndKeysOrRefusesThem(text);
  }

  @AfterAll
  static void assertFuzzed() {
    RUNS.assertMany();
  }
}
