package io.github.limiterkit.benchmarks;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An application that does as little as possible, so that what stands before it shows most. */
final class HelloServlet extends HttpServlet {

  private static final long serialVersionUID = 1;
  private static final byte[] HELLO = "Hello\n".getBytes(StandardCharsets.UTF_8);

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    response.setContentLength(HELLO.length);
    response.getOutputStream().write(HELLO);
  }
}
