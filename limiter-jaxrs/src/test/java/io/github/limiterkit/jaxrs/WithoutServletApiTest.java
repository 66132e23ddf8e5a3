package io.github.limiterkit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WithoutServletApiTest {

  private static final List<String> ANSWERS =
      List.of(
          "200 \"route\";r=1;t=3600, \"p\";r=8;t=3600",
          "200 \"route\";r=0;t=3600, \"p\";r=7;t=3600",
          "200 \"route\";r=1;t=3600, \"p\";r=8;t=3600",
          "200 \"route\";r=1;t=3600, \"p\";r=8;t=3600",
          "429",
          "429",
          "429",
          "429");

  /** This class path without anything that has to do with servlets. */
  private static URLClassLoader servletless() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.contains("servlet") || entry.contains("limiter-")) {
        urls.add(new File(entry).toURI().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("jakarta.servlet.")) {
          throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
      }
    };
  }

  @Test
  @DisplayName("JX-10: works without the Servlet API, with an address resolver of the user's")
  void limitsWithoutServletApi() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = servletless()) {
      assertThatThrownBy(() -> loader.loadClass("jakarta.servlet.Servlet"))
          .isInstanceOf(ClassNotFoundException.class);
      Thread.currentThread().setContextClassLoader(loader);
      Callable<?> app =
          (Callable<?>)
              loader
                  .loadClass("io.github.limiterkit.jaxrs.ServletlessApp")
                  .getConstructor()
                  .newInstance();
      assertThat(app.call()).isEqualTo(ANSWERS);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  @DisplayName("JX-10: works with the Servlet API on the class path, but no servlet container")
  void limitsWithoutServletContainer() throws Exception {
    assertThat(new ServletlessApp().call()).isEqualTo(ANSWERS);
  }
}
