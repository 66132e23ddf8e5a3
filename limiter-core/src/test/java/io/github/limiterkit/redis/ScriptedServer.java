package io.github.limiterkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Speaks enough of the protocol to let a client connect, and then answers each script call with the
 * bytes it was given: what no real server would say.
 */
final class ScriptedServer implements AutoCloseable {

  private final ServerSocket listening;
  private final byte[] answer;

  ScriptedServer(String answer) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answer = answer.getBytes(StandardCharsets.ISO_8859_1);
    start(this::acceptAll);
  }

  String url() {
    return "redis://127.0.0.1:" + listening.getLocalPort();
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
        boolean call = command.startsWith("EVAL");
        out.write(call ? answer : "+OK\r\n".getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
      }
    } catch (IOException | UncheckedIOException gone) {
      // The client closed the connection, as it should after such an answer.
    }
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
