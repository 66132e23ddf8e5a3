package io.github.limiterkit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletContainerInitializer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RateLimitFilterTest {

  @Test
  @DisplayName("SE-13: nothing on the class path makes a container start it")
  void doesNotRegisterItself() {
    assertThat(RateLimitFilter.class.getAnnotations()).isEmpty();
    ClassLoader loader = RateLimitFilter.class.getClassLoader();
    String ours =
        RateLimitFilter.class.getProtectionDomain().getCodeSource().getLocation().toString();
    assertThat(loader.resources("META-INF/web-fragment.xml"))
        .noneMatch(url -> url.toString().startsWith(ours));
  }

  @Test
  @DisplayName("SE-13: containers find the initializer, which acts only if it is asked to")
  void bringsAnInitializer() {
    assertThat(ServiceLoader.load(ServletContainerInitializer.class).stream())
        .extracting(ServiceLoader.Provider::type)
        .contains(RateLimitInitializer.class);
  }

  @Test
  void hasNothingToOverride() throws Exception {
    assertThat(Modifier.isFinal(RateLimitFilter.class.getModifiers())).isFalse();
    assertThat(RateLimitFilter.class.getConstructor()).isNotNull();
    for (Method method : Filter.class.getMethods()) {
      Method ours = RateLimitFilter.class.getMethod(method.getName(), method.getParameterTypes());
      assertThat(Modifier.isFinal(ours.getModifiers())).as(method.getName()).isTrue();
    }
  }
}
