package io.github.limiterkit.examples.outagereplay;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The API: each request is one piece of work for the backend, or 504 if that is not done in time.
 */
final class ApiServlet extends HttpServlet {

  static final int NOT_DONE = HttpServletResponse.SC_GATEWAY_TIMEOUT;

  private static final long serialVersionUID = 1L;

  private final transient Backend backend;
  private final transient Passages passages;

  ApiServlet(Backend backend, Passages passages) {
    this.backend = backend;
    this.passages = passages;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    passages.admitted(request);
    AsyncContext context = request.startAsync();
    context.setTimeout(0); // the backend keeps the time
    AtomicBoolean answered = new AtomicBoolean();
    backend.accept(
        () -> answer(context, answered, HttpServletResponse.SC_OK),
        () -> answer(context, answered, NOT_DONE));
  }

  /** Once: when the work is done, or when it has taken too long. */
  private static void answer(AsyncContext context, AtomicBoolean answered, int status) {
    if (answered.compareAndSet(false, true)) {
      ((HttpServletResponse) context.getResponse()).setStatus(status);
      context.complete();
    }
  }
}
