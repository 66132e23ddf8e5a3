package io.github.limiterkit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.Test;

/**
 * The suites of this package run with two versions of the servlet API. This one says with which, so
 * that a run which is meant for the other cannot pass with the usual one.
 */
class ServletVersionIT {

  @Test
  void isTheVersionThatThisRunIsMeantFor() throws Exception {
    AtomicReference<String> version = new AtomicReference<>();
    App app = new App().onStart(context -> version.set(version(context)));
    new TomcatContainer().start(app).close();
    System.out.println("Servlet " + version.get() + " in " + ServerInfo.getServerInfo());

    assertThat(version.get()).isEqualTo(System.getProperty("expected.servlet", version.get()));
    assertThat(ServerInfo.getServerNumber())
        .startsWith(version.get().equals("6.1") ? "11." : "10.");
  }

  private static String version(ServletContext context) {
    return context.getMajorVersion() + "." + context.getMinorVersion();
  }
}
