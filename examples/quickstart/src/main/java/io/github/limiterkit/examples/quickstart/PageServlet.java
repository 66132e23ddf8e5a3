package io.github.limiterkit.examples.quickstart;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;

/** The live page: one file, which needs nothing else but {@code /status}. */
final class PageServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    response.setContentType("text/html;charset=UTF-8");
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader(
        "Content-Security-Policy",
        "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
    try (InputStream page = PageServlet.class.getResourceAsStream("index.html")) {
      if (page == null) {
        throw new ServletException("index.html is not on the class path");
      }
      page.transferTo(response.getOutputStream());
    }
  }
}
