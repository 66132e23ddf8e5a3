package io.github.limiterkit.http;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.limiterkit.testing.FuzzRuns;
import org.junit.jupiter.api.AfterAll;

/** Whole requests: {@code Accept}, cookies, header keys, addresses and users. */
class RequestFuzz {

  private static final FuzzRuns RUNS = new FuzzRuns();

  private final HostileRequestsPropertyTest properties = new HostileRequestsPropertyTest();

  @FuzzTest(maxDuration = "8s")
  @DictionaryEntries({"text/html", "application/problem+json", ";q=0.001", "*/*", "sid=", "/a/b"})
  void decides(FuzzedDataProvider data) {
    RUNS.count();
    String path = "/" + data.consumeString(60);
    String user = data.consumeString(60);
    String value = data.consumeRemainingAsString();
    properties.decidesOnEveryRequest(path, value, user);
    properties.writesABodyInSomeForm(value);
  }

  @AfterAll
  static void assertFuzzed() {
    RUNS.assertMany();
  }
}
