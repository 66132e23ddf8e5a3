package io.github.limiterkit.setup;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.limiterkit.testing.FuzzRuns;
import org.junit.jupiter.api.AfterAll;

/** Configuration files. */
class YamlFuzz {

  private static final FuzzRuns RUNS = new FuzzRuns();

  private final ConfigFilePropertyTest properties = new ConfigFilePropertyTest();

  @FuzzTest(maxDuration = "8s")
  @DictionaryEntries({
    "policies: { a: { limits: 5/1m } }",
    "routes: [{ path: /*, policies: [a] }]",
    "store: { url: redis://h }",
    "&a ",
    "*a",
    "${X:-1}",
    "!!str ",
    "? ",
    "<<: "
  })
  void readsFiles(byte[] file) {
    RUNS.count();
    properties.survivesBytes(file);
  }

  @AfterAll
  static void assertFuzzed() {
    RUNS.assertMany();
  }
}
