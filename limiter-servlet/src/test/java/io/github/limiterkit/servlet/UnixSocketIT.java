package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.policy;
import static io.github.limiterkit.servlet.Fixture.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.http.address.Networks;
import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients without an address, as they really come: through a Unix domain socket. */
@Tag("servlet-6.0")
class UnixSocketIT {

  @TempDir private Path folder;

  @Test
  @DisplayName("IP-15, HT-026: Jetty tells no address, which is nobody's and not loopback")
  void limitsInJetty() throws Exception {
    Path socket = folder.resolve("jetty");
    LimiterKit.Builder builder = LimiterKit.inMemory().allow(Networks.of("127.0.0.0/8", "::1"));
    Server server = new Server();
    UnixDomainServerConnector connector = new UnixDomainServerConnector(server);
    connector.setUnixDomainPath(socket);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    server.setHandler(context);
    try (LimiterKit kit = builder.route("/*", policy("p", "2/1h")).build();
        KitLog log = new KitLog()) {
      App app = app(kit);
      context.addServletContainerInitializer(
          (classes, starting) -> Registrations.register(app, starting));
      server.start();
      assertThat(limited(socket)).isEmpty();
      assertThat(log.warnings()).singleElement().asString().contains("policy p", "\"unknown\"");
    } finally {
      server.stop();
    }
  }

  @Test
  @DisplayName("HT-026: Tomcat tells 127.0.0.1, so that all who come so are one client")
  void limitsInTomcat() throws Exception {
    Path socket = folder.resolve("tomcat");
    try (LimiterKit kit = LimiterKit.inMemory().route("/*", policy("p", "2/1h")).build();
        App.Running running =
            TomcatContainer.start(
                (tomcat, base) -> {
                  tomcat.getConnector().setProperty("unixDomainSocketPath", socket.toString());
                  Context context = tomcat.addContext("", base.toString());
                  TomcatContainer.configure(context, app(kit));
                  return context;
                })) {
      assertThat(running).isNotNull();
      assertThat(limited(socket)).isEqualTo("127.0.0.1");
    }
  }

  /** Answers with the address that the container tells. */
  private static App app(LimiterKit kit) {
    return new App()
        .filter("limits", new RateLimitFilter(kit))
        .servlet("/*", (request, response) -> response.getWriter().write(request.getRemoteAddr()));
  }

  /** Sees the limit hold, and tells which address the container tells. */
  private static String limited(Path socket) {
    try (RawHttp connection = RawHttp.connect(socket)) {
      RawHttp.Reply reply = connection.ask("GET", "/");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(remaining(reply)).isEqualTo("1");
      assertThat(connection.ask("GET", "/").status()).isEqualTo(200);
      assertThat(connection.ask("GET", "/").status()).isEqualTo(429);
      return reply.body();
    }
  }
}
