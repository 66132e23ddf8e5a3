package io.github.limiterkit.examples.quickstart;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Knows one user, {@code demo} with the password {@code demo}. */
final class LoginServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean known =
        "demo".equals(request.getParameter("user"))
            && "demo".equals(request.getParameter("password"));
    response.setStatus(known ? HttpServletResponse.SC_OK : HttpServletResponse.SC_UNAUTHORIZED);
    response.setContentType("text/plain;charset=UTF-8");
    response.getWriter().println(known ? "Welcome" : "Wrong user or password");
  }
}
