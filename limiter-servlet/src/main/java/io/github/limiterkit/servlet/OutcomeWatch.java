package io.github.limiterkit.servlet;

import io.github.limiterkit.http.Reservation;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Waits for the status of an answer and settles a reservation by it, in whatever way the request
 * ends.
 */
final class OutcomeWatch implements AsyncListener {

  private final Reservation reservation;
  private final HttpServletResponse response;
  private volatile boolean asynchronous;
  private volatile boolean thrown;

  OutcomeWatch(Reservation reservation, HttpServletResponse response) {
    this.reservation = reservation;
    this.response = response;
  }

  void follow(HttpServletRequest request, FilterChain chain) throws IOException, ServletException {
    boolean returned = false;
    try {
      chain.doFilter(new Watched(request), response);
      returned = true;
    } finally {
      thrown |= !returned;
      if (!asynchronous) {
        settle();
      }
    }
  }

  private void settle() {
    int status = response.getStatus();
    // What was thrown is answered with 500, unless the application had said what is wrong before.
    reservation.settle(thrown && status < 400 ? 500 : status);
  }

  private void listenTo(AsyncContext context) {
    asynchronous = true;
    context.addListener(this);
  }

  @Override
  public void onComplete(AsyncEvent event) {
    settle();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    // The container ends the request, and then tells that it is complete.
  }

  @Override
  public void onError(AsyncEvent event) {
    thrown = true;
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this); // each new start forgets the listeners
  }

  /**
   * A request that tells when it becomes asynchronous. After the chain it is too late to ask: what
   * was started may have been dispatched again by then, and its answer is yet to come.
   */
  private final class Watched extends HttpServletRequestWrapper {

    Watched(HttpServletRequest request) {
      super(request);
    }

    @Override
    public AsyncContext startAsync() {
      AsyncContext context = super.startAsync();
      listenTo(context);
      return context;
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse answered) {
      AsyncContext context = super.startAsync(request, answered);
      listenTo(context);
      return context;
    }
  }
}
