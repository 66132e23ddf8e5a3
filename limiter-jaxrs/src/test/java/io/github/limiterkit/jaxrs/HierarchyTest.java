package io.github.limiterkit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class HierarchyTest {

  interface Far {}

  interface Near<T> extends Far {
    void take(T value);
  }

  static class Base implements Near<String> {
    @Override
    public void take(String value) {}

    public void take(Integer value) {}

    static void hidden() {}
  }

  static class Derived extends Base implements Far {
    @Override
    public void take(String value) {}

    public void hidden(int other) {}
  }

  @Test
  void listsSuperclassesBeforeInterfaces() {
    assertThat(Hierarchy.of(Derived.class))
        .containsExactly(Derived.class, Base.class, Far.class, Near.class);
    assertThat(Hierarchy.of(new Derived() {}.getClass())).contains(Derived.class);
    assertThat(Hierarchy.of(Near.class)).containsExactly(Near.class, Far.class);
  }

  @Test
  void findsWhatIsOverriddenAlsoGenerically() throws Exception {
    Method derived = Derived.class.getMethod("take", String.class);
    assertThat(Hierarchy.of(Derived.class, derived))
        .containsExactly(
            derived,
            Base.class.getMethod("take", String.class),
            Near.class.getMethod("take", Object.class));
  }

  @Test
  void doesNotTakeOverloadsForOverrides() throws Exception {
    Method other = Base.class.getMethod("take", Integer.class);
    assertThat(Hierarchy.of(Base.class, other))
        .containsExactly(other, Near.class.getMethod("take", Object.class));
    Method hidden = Derived.class.getMethod("hidden", int.class);
    assertThat(Hierarchy.of(Derived.class, hidden)).containsExactly(hidden);
  }
}
