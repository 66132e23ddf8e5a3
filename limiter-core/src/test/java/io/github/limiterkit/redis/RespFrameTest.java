package io.github.limiterkit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RespFrameTest {

  @Test
  void saysHowManyPartsThereAreAndHowLongEachIs() {
    assertThat(text("GET", "key")).isEqualTo("*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n");
  }

  @Test
  void countsBeyondOneDigit() {
    String long12 = "x".repeat(12);
    String[] ten = new String[10];
    Arrays.fill(ten, long12);
    assertThat(text("MGET", ten))
        .isEqualTo("*11\r\n$4\r\nMGET\r\n" + ("$12\r\n" + long12 + "\r\n").repeat(10));
  }

  @Test
  void anArgumentMayBeEmpty() {
    assertThat(text("ECHO", "")).isEqualTo("*2\r\n$4\r\nECHO\r\n$0\r\n\r\n");
  }

  private static String text(String command, String... arguments) {
    byte[][] bytes = new byte[arguments.length][];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = arguments[i].getBytes(US_ASCII);
    }
    RespFrame frame = RespFrame.of(command.getBytes(US_ASCII), bytes);
    return new String(frame.bytes(), 0, frame.size(), US_ASCII);
  }
}
