package io.github.limiterkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisDataException;

class ReplyReaderTest {

  private static final String ONE_AFTER_THE_OTHER =
      "+OK\r\n:-12\r\n$3\r\na\r\n\r\n$-1\r\n*-1\r\n*2\r\n:7\r\n*1\r\n$0\r\n\r\nrest";

  private static ReplyReader reader(String bytes) {
    return new ReplyReader(new ByteArrayInputStream(bytes.getBytes(UTF_8)));
  }

  @Test
  void readsOneReplyAfterTheOtherAndNotAByteBeyond() throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(ONE_AFTER_THE_OTHER.getBytes(UTF_8));
    ReplyReader reader = new ReplyReader(in);
    assertThat(reader.read()).isEqualTo("OK".getBytes(UTF_8));
    assertThat(reader.read()).isEqualTo(-12L);
    assertThat(reader.read()).isEqualTo("a\r\n".getBytes(UTF_8));
    assertThat(reader.read()).isNull();
    assertThat(reader.read()).isNull();
    List<?> list = (List<?>) reader.read();
    assertThat(list.get(0)).isEqualTo(7L);
    assertThat((List<?>) list.get(1)).hasSize(1);
    assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("rest");
  }

  @Test
  void throwsAnErrorOfTheServer() throws IOException {
    ReplyReader reader = reader("-NOSCRIPT No matching script\r\n:1\r\n");
    assertThatThrownBy(reader::read)
        .isInstanceOf(JedisDataException.class)
        .hasMessage("NOSCRIPT No matching script");
    assertThat(reader.read()).isEqualTo(1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n",
        "HTTP/1.1 400\r\n",
        "$536870912\r\n",
        "$99999999999999999999999\r\n",
        "$-2\r\n",
        "*2147483647\r\n",
        "*-5\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
        ":1x\r\n",
        ":1\rx",
        "$1\r\nab\r\n",
        "+OK\rx",
      })
  void refusesWhatIsNoReply(String bytes) {
    assertThatThrownBy(reader(bytes)::read)
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "+OK", "+OK\r", ":1", "$5\r\nab", "$2\r\nab", "*2\r\n:1\r\n"})
  void tellsThatTheConnectionEnded(String bytes) {
    assertThatThrownBy(reader(bytes)::read).isInstanceOf(EOFException.class);
  }

  @Test
  void refusesALineWithoutEnd() {
    assertThatThrownBy(reader("+" + "x".repeat(100_000))::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not end");
  }
}
