package io.github.limiterkit.benchmarks;

import jakarta.servlet.ServletException;

/** A server in a process of its own, so that its processor time can be told from all others'. */
final class HttpServerMain {

  private HttpServerMain() {}

  /** Starts, prints the port, and ends when its input ends. */
  public static void main(String[] arguments) throws Exception {
    HttpContainer container = HttpContainer.valueOf(arguments[0]);
    HttpGuard guard = HttpGuard.valueOf(arguments[1]);
    boolean refuses = Boolean.parseBoolean(arguments[2]);
    int port =
        container.start(
            (classes, context) -> {
              try {
                guard.register(context, refuses);
              } catch (ServletException failed) {
                throw new IllegalStateException(guard.title() + " does not start", failed);
              }
              context.addServlet("hello", new HelloServlet()).addMapping("/");
            });
    System.out.println(port);
    while (System.in.read() >= 0) {
      // Nobody says anything; what counts is the end.
    }
    System.exit(0);
  }
}
