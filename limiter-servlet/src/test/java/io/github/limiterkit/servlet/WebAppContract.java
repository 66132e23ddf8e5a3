package io.github.limiterkit.servlet;

import static io.github.limiterkit.servlet.Fixture.remaining;
import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.limiterkit.testing.RawHttp.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filter in a web application that lies in a folder, as a deployer puts it there. */
abstract class WebAppContract {

  private static final String HEAD =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="%s">
        <servlet>
          <servlet-name>hello</servlet-name>
          <servlet-class>io.github.limiterkit.servlet.HelloServlet</servlet-class>
          <async-supported>true</async-supported>
        </servlet>
        <servlet-mapping>
          <servlet-name>hello</servlet-name>
          <url-pattern>/*</url-pattern>
        </servlet-mapping>
      """;

  private static final String FILTER =
      """
        <filter>
          <filter-name>limits</filter-name>
          <filter-class>io.github.limiterkit.servlet.RateLimitFilter</filter-class>
          <async-supported>true</async-supported>
          <init-param>
            <param-name>name</param-name>
            <param-value>per-client</param-value>
          </init-param>
          <init-param>
            <param-name>limits</param-name>
            <param-value>
              2/1h,
              9/1d,
            </param-value>
          </init-param>
        </filter>
        <filter-mapping>
          <filter-name>limits</filter-name>
          <url-pattern>/*</url-pattern>
        </filter-mapping>
      """;

  private static final String CONFIGURED =
      """
        <filter>
          <filter-name>limits</filter-name>
          <filter-class>io.github.limiterkit.servlet.RateLimitFilter</filter-class>
          <async-supported>true</async-supported>
          <init-param><param-name>config</param-name><param-value>%s</param-value></init-param>
        </filter>
        <filter-mapping>
          <filter-name>limits</filter-name>
          <url-pattern>/*</url-pattern>
        </filter-mapping>
      """;

  private static final String REGISTERED =
      """
        <context-param>
          <param-name>limiterkit.register</param-name>
          <param-value>%s</param-value>
        </context-param>
        <context-param>
          <param-name>limiterkit.name</param-name>
          <param-value>registered</param-value>
        </context-param>
        <context-param>
          <param-name>limiterkit.limits</param-name>
          <param-value>2/1h</param-value>
        </context-param>
      """;

  @TempDir private Path folder;

  /** Deploys a folder that holds WEB-INF. */
  abstract App.Running deploy(Path folder) throws Exception;

  private void write(String metadataComplete, String rest) throws IOException {
    Path classes = folder.resolve("WEB-INF/classes");
    Files.createDirectories(classes);
    Files.writeString(
        folder.resolve("WEB-INF/web.xml"), HEAD.formatted(metadataComplete) + rest + "</web-app>");
  }

  /** Puts a class into the application, so that the container looks at its annotations. */
  private void copy(Class<?> type) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    Path file = folder.resolve("WEB-INF/classes").resolve(name);
    Files.createDirectories(file.getParent());
    try (InputStream bytes = type.getClassLoader().getResourceAsStream(name)) {
      Files.copy(bytes, file);
    }
  }

  @Test
  @DisplayName("HT-146, HT-148: web.xml, metadata-complete or not")
  void isConfiguredByWebXml() throws Exception {
    for (String metadataComplete : new String[] {"true", "false"}) {
      write(metadataComplete, FILTER);
      try (App.Running running = deploy(folder)) {
        Reply accepted = get(running.port(), "/");
        assertThat(accepted.body()).isEqualTo("hello");
        assertThat(accepted.one("RateLimit-Policy"))
            .isEqualTo("\"per-client\";q=2;w=3600, \"per-client-1d\";q=9;w=86400");
        get(running.port(), "/");
        assertThat(get(running.port(), "/").status()).isEqualTo(429);
      }
    }
  }

  @Test
  @DisplayName("SE-15: the init-param config names a file in WEB-INF or on the class path")
  void isConfiguredByAFile() throws Exception {
    for (String location :
        new String[] {"/WEB-INF/limits/limiter.yaml", "classpath:limits/limiter.yaml"}) {
      write("true", CONFIGURED.formatted(location));
      Path home = folder.resolve(location.startsWith("/") ? "WEB-INF" : "WEB-INF/classes");
      Path file = home.resolve("limits/limiter.yaml");
      Files.createDirectories(file.getParent());
      Files.writeString(
          file,
          """
          policies: { from-file: { limits: 2/1h }, named: { limits: 9/1h } }
          routes: [{ path: /*, policies: [from-file] }]
          exempt: [/health]
          """);
      try (App.Running running = deploy(folder)) {
        assertThat(get(running.port(), "/").one("RateLimit-Policy"))
            .isEqualTo("\"from-file\";q=2;w=3600");
        get(running.port(), "/");
        assertThat(get(running.port(), "/").status()).isEqualTo(429);
        assertThat(get(running.port(), "/health").status()).isEqualTo(200);
      }
      Files.delete(file);
      assertThatThrownBy(
              () -> {
                try (App.Running running = deploy(folder)) {
                  assertThat(get(running.port(), "/").body()).isEqualTo("hello");
                }
              })
          .as("without its file")
          .isNotNull();
    }
  }

  @Test
  @DisplayName("SE-13: @WebFilter on a user's empty subclass")
  void isConfiguredByAnAnnotation() throws Exception {
    write("false", "");
    copy(AnnotatedFilter.class);
    try (App.Running running = deploy(folder)) {
      Reply accepted = get(running.port(), "/");
      assertThat(accepted.body()).isEqualTo("hello");
      assertThat(accepted.one("RateLimit-Policy")).isEqualTo("\"annotated\";q=2;w=3600");
      assertThat(remaining(accepted)).isEqualTo("1");
      get(running.port(), "/");
      assertThat(get(running.port(), "/").status()).isEqualTo(429);
    }
  }

  @Test
  @DisplayName("SE-13, HT-129: a context-param has the filter registered, with async support")
  void isRegisteredByAContextParam() throws Exception {
    write("true", REGISTERED.formatted("true"));
    try (App.Running running = deploy(folder)) {
      Reply accepted = get(running.port(), "/");
      assertThat(accepted.body()).isEqualTo("hello");
      assertThat(accepted.one("RateLimit-Policy")).isEqualTo("\"registered\";q=2;w=3600");
      assertThat(get(running.port(), "/async").body()).isEqualTo("later");
      assertThat(get(running.port(), "/").status()).isEqualTo(429);
    }
    write("true", REGISTERED.formatted("false"));
    try (App.Running running = deploy(folder)) {
      assertThat(get(running.port(), "/").one("RateLimit")).isNull();
    }
    write("true", REGISTERED.formatted("yes"));
    assertThatThrownBy(
            () -> {
              try (App.Running running = deploy(folder)) {
                assertThat(get(running.port(), "/").body()).isEqualTo("hello");
              }
            })
        .as("neither true nor false")
        .isNotNull();
  }

  @Test
  @DisplayName("SE-13, HT-148: on the class path alone it limits nothing")
  void doesNothingByItself() throws Exception {
    write("false", "");
    copy(RateLimitFilter.class);
    try (App.Running running = deploy(folder)) {
      Reply reply = get(running.port(), "/");
      assertThat(reply.body()).isEqualTo("hello");
      assertThat(reply.headers()).noneMatch(line -> line.startsWith("RateLimit"));
    }
  }
}
