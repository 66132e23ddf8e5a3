package io.github.limiterkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the kit does about each fault of a store is what the documentation says. */
class StoreFaultsIT {

  @ParameterizedTest
  @EnumSource(names = {"NOREPLICAS", "NOPERM", "WRONGTYPE", "HALF_OPEN"})
  void doesWhatThePageSays(StoreTrouble trouble) throws IOException {
    StoreFaultsPage.Row seen = StoreTroubles.meet(trouble);
    assertThat(StoreFaultsPage.rows())
        .extracting(StoreFaultsPage.Row::withoutTimes)
        .contains(seen.withoutTimes());
  }

  @Test
  void thePageHasARowForEach() throws IOException {
    assertThat(StoreFaultsPage.rows())
        .extracting(StoreFaultsPage.Row::trouble)
        .containsExactlyElementsOf(
            Arrays.stream(StoreTrouble.values()).map(StoreTrouble::words).toList());
  }

  @Test
  @Tag("deep")
  void doesWhatThePageSaysOfAll() throws IOException {
    List<StoreFaultsPage.Row> seen = new ArrayList<>();
    for (StoreTrouble trouble : StoreTrouble.values()) {
      seen.add(StoreTroubles.meet(trouble));
    }
    StoreFaultsPage.compare(seen);
  }
}
