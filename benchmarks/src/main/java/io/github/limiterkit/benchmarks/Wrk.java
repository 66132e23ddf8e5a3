package io.github.limiterkit.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load tool wrk: one thread with 16 connections, each with one request at a time. */
final class Wrk {

  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
  private static final Pattern OTHERS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern BROKEN = Pattern.compile("Socket errors: .*");

  private Wrk() {}

  /**
   * What it saw.
   *
   * @param requests that were answered
   * @param refused of them, those whose status is not 2xx or 3xx
   * @param perSecond requests
   */
  record Seen(long requests, long refused, double perSecond) {}

  /** Asks one server for so many whole seconds. */
  static Seen ask(int port, Duration duration) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    "wrk",
                    "-t1",
                    "-c16",
                    "-d" + Math.max(1, duration.toSeconds()) + "s",
                    "http://127.0.0.1:" + port + "/"))
            .redirectErrorStream(true)
            .start();
    return parse(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
  }

  static Seen parse(String output) {
    if (BROKEN.matcher(output).find()) {
      throw new IllegalStateException("the load tool lost connections:\n" + output);
    }
    Matcher others = OTHERS.matcher(output);
    return new Seen(
        Long.parseLong(found(REQUESTS, output)),
        others.find() ? Long.parseLong(others.group(1)) : 0,
        Double.parseDouble(found(RATE, output)));
  }

  private static String found(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      throw new IllegalStateException("the load tool said nothing of that kind:\n" + output);
    }
    return matcher.group(1);
  }
}
