package io.github.limiterkit.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.setup.RefusedKeys.Refused;
import io.github.limiterkit.setup.RefusedKeys.Who;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RefusedKeysTest {

  private final RefusedKeys refused = new RefusedKeys();

  @Test
  void countsExactlyWhileThereIsPlace() {
    for (int i = 0; i < RefusedKeys.PLACES; i++) {
      for (int times = 0; times <= i; times++) {
        refused.add("login", "user:" + i);
      }
    }
    List<Refused> most = refused.most();
    assertThat(most).hasSize(RefusedKeys.PLACES);
    assertThat(most.get(0)).isEqualTo(new Refused(new Who("login", "user:63"), 64));
    assertThat(most.get(63)).isEqualTo(new Refused(new Who("login", "user:0"), 1));
    assertThat(refused.total()).isEqualTo(64L * 65 / 2);
  }

  @Test
  void tellsPoliciesApart() {
    refused.add("login", "user:ada");
    refused.add("orders", "user:ada");
    assertThat(refused.most())
        .containsExactlyInAnyOrder(
            new Refused(new Who("login", "user:ada"), 1),
            new Refused(new Who("orders", "user:ada"), 1));
  }

  /** An attacker who changes its key all the time hides nobody who is refused all the time. */
  @Test
  void findsWhoIsRefusedMostAmongAFloodOfFreshKeys() {
    Random random = new Random(42);
    int ofHeavy = 0;
    for (int i = 0; i < 100_000; i++) {
      if (random.nextInt(10) == 0) {
        refused.add("login", "user:heavy");
        ofHeavy++;
      } else {
        refused.add("login", "user:" + i);
      }
    }
    List<Refused> most = refused.most();
    assertThat(most).hasSize(RefusedKeys.PLACES);
    assertThat(most.get(0).who().key()).isEqualTo("user:heavy");
    assertThat(most.get(0).atLeast())
        .isBetween(ofHeavy - 100_000L / RefusedKeys.PLACES, (long) ofHeavy);
    assertThat(most).allSatisfy(one -> assertThat(one.atLeast()).isPositive());
  }

  @Test
  void tellsNeverMoreThanThereWere() throws InterruptedException {
    int each = 20_000;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int n = 0; n < each; n++) {
                  refused.add("login", "user:ada");
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(refused.total()).isEqualTo(4L * each);
    assertThat(refused.most().get(0).atLeast()).isBetween(1L, 4L * each);
  }

  @Test
  void forgetsAll() {
    refused.add("login", "user:ada");
    refused.forget();
    assertThat(refused.total()).isZero();
    assertThat(refused.most()).isEmpty();
  }
}
