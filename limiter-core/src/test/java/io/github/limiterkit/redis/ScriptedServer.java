package io.github.limiterkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Speaks enough of the protocol to let a client connect, and then answers each script call with the
 * bytes it was given: what no real server would say.
 */
final class ScriptedServer implements AutoCloseable {

  private final ServerSocket listening;
  private final byte[] answer;
  private final AtomicInteger calls = new AtomicInteger();

  /** Where answers are held back, one entry for each. */
  private final List<OutputStream> owed = new ArrayList<>();

  private boolean holdsBack;

  ScriptedServer(String answer) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answer = bytes(answer);
    start(this::acceptAll);
  }

  String url() {
    return "redis://127.0.0.1:" + listening.getLocalPort();
  }

  /** How many script calls have come in. */
  int calls() {
    return calls.get();
  }

  /** From now on it reads script calls and does not answer them. */
  synchronized void holdBack() {
    holdsBack = true;
  }

  /** Answers what it has held back, and whatever comes from now on. */
  synchronized void answerAll() throws IOException {
    holdsBack = false;
    for (OutputStream out : owed) {
      out.write(answer);
    }
    owed.clear();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }

  private void acceptAll() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      while (true) {
        String command = readCommand(in);
        if (command.startsWith("EVAL")) {
          answerCall(out);
        } else {
          boolean hello = command.equals("HELLO");
          out.write(bytes(hello ? "*2\r\n$5\r\nproto\r\n:2\r\n" : "+OK\r\n"));
        }
      }
    } catch (IOException | UncheckedIOException gone) {
      // The client closed the connection, as it should after such an answer.
    }
  }

  private synchronized void answerCall(OutputStream out) throws IOException {
    calls.incrementAndGet();
    if (holdsBack) {
      owed.add(out);
    } else {
      out.write(answer);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String readCommand(InputStream in) throws IOException {
    int words = Integer.parseInt(readLine(in).substring(1));
    String first = "";
    for (int i = 0; i < words; i++) {
      int length = Integer.parseInt(readLine(in).substring(1));
      byte[] word = in.readNBytes(length + 2);
      if (i == 0) {
        first = new String(word, 0, length, StandardCharsets.ISO_8859_1);
      }
    }
    return first;
  }

  private static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("end of stream");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "scripted-server");
    thread.setDaemon(true);
    thread.start();
  }
}
