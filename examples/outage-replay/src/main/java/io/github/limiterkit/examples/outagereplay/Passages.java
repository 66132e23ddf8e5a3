package io.github.limiterkit.examples.outagereplay;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Before the limiter and behind it: how long it kept a request, and whether it let it through.
 * Measured where the limiter is, so that neither network nor backend is in it.
 */
final class Passages implements Filter {

  private static final String SINCE = Passages.class.getName();

  private final RunClock clock;
  private final AtomicLong begun = new AtomicLong();
  private final Queue<Passage> ended = new ConcurrentLinkedQueue<>();

  /**
   * One request's way through the limiter.
   *
   * @param at when it came out, in seconds since the run began
   * @param addedMillis how long it was in there
   * @param admitted whether it was let through
   */
  record Passage(double at, double addedMillis, boolean admitted) {}

  Passages(RunClock clock) {
    this.clock = clock;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain limiter)
      throws IOException, ServletException {
    begun.incrementAndGet();
    request.setAttribute(SINCE, System.nanoTime());
    limiter.doFilter(request, response);
    if (request.getAttribute(SINCE) != null) {
      end(request, false);
    }
  }

  /** Told by what is behind the limiter. */
  void admitted(ServletRequest request) {
    end(request, true);
  }

  private void end(ServletRequest request, boolean admitted) {
    long now = System.nanoTime();
    long since = (Long) request.getAttribute(SINCE);
    request.removeAttribute(SINCE);
    ended.add(new Passage(clock.seconds(now), (now - since) / 1e6, admitted));
  }

  /** Requests that have come to a limiter so far. */
  long begun() {
    return begun.get();
  }

  List<Passage> ended() {
    return List.copyOf(ended);
  }
}
