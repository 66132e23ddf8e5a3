package io.github.limiterkit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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
    for (String name :
        new String[] {
          "META-INF/web-fragment.xml",
          "META-INF/services/jakarta.servlet.ServletContainerInitializer"
        }) {
      assertThat(loader.resources(name)).noneMatch(url -> url.toString().startsWith(ours));
    }
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
