package io.github.limiterkit.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet for web.xml to name. */
public final class HelloServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getRequestURI().endsWith("/async")) {
      AsyncContext async = request.startAsync();
      response.getWriter().write("later");
      async.start(async::complete);
      return;
    }
    response.getWriter().write("hello");
  }
}
