package io.github.limiterkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.store.StoreException;
import io.github.limiterkit.store.StoreFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class FaultsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          READONLY You can't write against a read only replica.                          | READONLY
          LOADING Redis is loading the dataset in memory                                  | LOADING
          OOM command not allowed when used memory > 'maxmemory'.                         | OUT_OF_MEMORY
          BUSY Redis is busy running a script.                                            | BUSY
          MISCONF Redis is configured to save RDB snapshots                               | MISCONFIGURED
          NOREPLICAS Not enough good replicas to write.                                   | NO_REPLICAS
          MASTERDOWN Link with MASTER is down                                             | MASTER_DOWN
          CLUSTERDOWN The cluster is down                                                 | CLUSTER_DOWN
          NOAUTH Authentication required.                                                 | AUTHENTICATION
          WRONGPASS invalid username-password pair or user is disabled.                   | AUTHENTICATION
          ERR AUTH <password> called without any password configured                      | AUTHENTICATION
          NOPERM this user has no permissions to run the 'evalsha' command                | PERMISSION
          ERR The user executing the script can't run this command or subcommand script   | PERMISSION
          ERR The user executing the script can't access at least one of the keys         | PERMISSION
          ERR max number of clients reached                                               | TOO_MANY_CLIENTS
          CROSSSLOT Keys in request don't hash to the same slot                           | CROSS_SLOT
          TRYAGAIN Multiple keys request during rehashing of slot                         | TRY_AGAIN
          ERR Error running script (call to f_1): @user_script:1: -READONLY You can't     | READONLY
          ERR Error running script (call to f_1): @user_script:3: attempt to index a nil  | SCRIPT
          """)
  void namesWhatTheServerSaid(String message, StoreFault fault) {
    assertThat(Faults.of(new JedisDataException(message)).fault()).isEqualTo(fault);
    assertThat(Faults.ofServerMessage(message).fault()).isEqualTo(fault);
  }

  @Test
  void namesTheCommandThatFailedInTheScript() {
    StoreException refused =
        Faults.ofServerMessage("SET: The user executing the script can't run this command");
    assertThat(refused.fault()).isEqualTo(StoreFault.PERMISSION);
    assertThat(refused.getMessage()).startsWith("SET: ");
    StoreException full = Faults.ofServerMessage("SETRANGE: OOM command not allowed");
    assertThat(full.fault()).isEqualTo(StoreFault.OUT_OF_MEMORY);
    assertThat(full.getMessage()).startsWith("SETRANGE: OOM");
  }

  @Test
  void aBrokenConnectionIsAReset() {
    JedisConnectionException broken = new JedisConnectionException("Unexpected end of stream.");
    assertThat(Faults.of(broken).fault()).isEqualTo(StoreFault.RESET);
    assertThat(Faults.ofBrokenReply(new OutOfMemoryError("Java heap space")).fault())
        .isEqualTo(StoreFault.RESET);
  }

  @Test
  void aServerThatIsNoLongerTheMasterIsNotKept() {
    assertThat(Faults.endsConnection(StoreFault.READONLY)).isTrue();
    assertThat(Faults.endsConnection(StoreFault.AUTHENTICATION)).isTrue();
    assertThat(Faults.endsConnection(StoreFault.OUT_OF_MEMORY)).isFalse();
    assertThat(Faults.endsConnection(StoreFault.SCRIPT)).isFalse();
  }

  @Test
  void whatFailsWhileConnectingIsUnreachableUnlessTheServerSaidWhy() {
    assertThat(Faults.whileConnecting(new JedisConnectionException("refused")).fault())
        .isEqualTo(StoreFault.UNREACHABLE);
    assertThat(Faults.whileConnecting(new JedisDataException("WRONGPASS x")).fault())
        .isEqualTo(StoreFault.AUTHENTICATION);
    assertThat(Faults.whileConnecting(new JedisDataException("LOADING x")).fault())
        .isEqualTo(StoreFault.LOADING);
  }

  @Test
  void keepsMessagesShortAndOnOneLine() {
    StoreException fault = Faults.ofServerMessage("ERR " + "x".repeat(500) + "\nsecond line");
    assertThat(fault.getMessage()).hasSizeLessThan(130).doesNotContain("second");
  }
}
