package io.github.limiterkit.examples.quickstart;

import io.github.limiterkit.setup.LimiterKit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Tells as JSON how the kit is doing, and which Redis belongs to this quickstart. Unlimited. */
final class StatusServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final transient LimiterKit kit;
  private final transient @Nullable EmbeddedRedis redis;

  StatusServlet(LimiterKit kit, @Nullable EmbeddedRedis redis) {
    this.kit = kit;
    this.redis = redis;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("application/json");
    response.setCharacterEncoding("UTF-8");
    response.setHeader("Cache-Control", "no-store");
    response.getWriter().println(StatusJson.of(kit.status(), redis));
  }
}
