package io.github.limiterkit.servlet;

import static io.github.limiterkit.testing.RawHttp.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.limiterkit.setup.LimiterKit;
import io.github.limiterkit.testing.RawHttp.Reply;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.web.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The filter in Spring Boot 3.5, which runs its own Tomcat and registers filters in its own way.
 */
@Tag("servlet-6.0")
class SpringBootIT {

  /** A server with something to limit. */
  @Configuration(proxyBeanMethods = false)
  static class Server {
    @Bean
    TomcatServletWebServerFactory server() {
      return new TomcatServletWebServerFactory(0);
    }

    @Bean
    ServletRegistrationBean<HelloServlet> hello() {
      return new ServletRegistrationBean<>(new HelloServlet(), "/*");
    }
  }

  /** A kit that Spring closes, and its filter. */
  @Configuration(proxyBeanMethods = false)
  static class WithAKit {
    @Bean
    LimiterKit kit() {
      return LimiterKit.inMemory().route("/*", Fixture.policy("p", "3/1h")).build();
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> limits(LimiterKit kit) {
      return new FilterRegistrationBean<>(new RateLimitFilter(kit));
    }
  }

  /** A filter with init-params. */
  @Configuration(proxyBeanMethods = false)
  static class WithParameters {
    @Bean
    FilterRegistrationBean<RateLimitFilter> limits() {
      FilterRegistrationBean<RateLimitFilter> limits =
          new FilterRegistrationBean<>(new RateLimitFilter());
      limits.setInitParameters(Map.of("name", "p", "limits", "3/1h"));
      limits.addUrlPatterns("/*");
      return limits;
    }
  }

  /** A filter that is a bean, which Spring Boot maps to everything, beside its registration. */
  @Configuration(proxyBeanMethods = false)
  static class WithBoth {
    @Bean
    RateLimitFilter filter(LimiterKit kit) {
      return new RateLimitFilter(kit);
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> more(LimiterKit kit) {
      FilterRegistrationBean<RateLimitFilter> more =
          new FilterRegistrationBean<>(new RateLimitFilter(kit));
      more.setName("more");
      return more;
    }

    @Bean
    LimiterKit kit() {
      return LimiterKit.inMemory().route("/*", Fixture.policy("p", "3/1h")).build();
    }
  }

  private static void limits(Class<?> configuration) throws Exception {
    try (AnnotationConfigServletWebServerApplicationContext context =
        new AnnotationConfigServletWebServerApplicationContext(Server.class, configuration)) {
      int port = context.getWebServer().getPort();
      Reply accepted = get(port, "/");
      assertThat(accepted.body()).isEqualTo("hello");
      assertThat(accepted.one("RateLimit")).startsWith("\"p\";r=2;");
      assertThat(get(port, "/async").body()).isEqualTo("later");
      assertThat(get(port, "/").status()).isEqualTo(200);
      assertThat(get(port, "/").status()).isEqualTo(429);
    }
  }

  @Test
  @DisplayName("SE-3, SE-14: registered by a FilterRegistrationBean with a kit")
  void isRegisteredWithAKit() throws Exception {
    limits(WithAKit.class);
  }

  @Test
  @DisplayName("SE-15: registered by a FilterRegistrationBean with init-params")
  void isRegisteredWithParameters() throws Exception {
    limits(WithParameters.class);
  }

  @Test
  @DisplayName("HT-082: registered as a bean and once more, it costs one unit")
  void chargesOnceIfRegisteredTwice() throws Exception {
    limits(WithBoth.class);
  }
}
