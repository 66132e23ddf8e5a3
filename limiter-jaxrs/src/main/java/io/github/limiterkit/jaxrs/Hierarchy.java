package io.github.limiterkit.jaxrs;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A class and what it inherits from: a proxy of a container or a client stands before the class
 * that carries the annotations, and an interface behind it.
 */
final class Hierarchy {

  private Hierarchy() {}

  /** The class, its superclasses, then all interfaces, the nearer first. */
  static Collection<Class<?>> of(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      all.add(c);
    }
    List<Class<?>> open = new ArrayList<>(all);
    while (!open.isEmpty()) {
      List<Class<?>> next = new ArrayList<>();
      for (Class<?> c : open) {
        next.addAll(Arrays.asList(c.getInterfaces()));
      }
      all.addAll(next);
      open = next;
    }
    return all;
  }

  /** The method and those that it overrides, the nearer first. */
  static List<Method> of(Class<?> type, Method method) {
    Set<Method> all = new LinkedHashSet<>();
    for (Class<?> c : of(type)) {
      Method declared = declared(c, method);
      if (declared != null) {
        all.add(declared);
      }
    }
    all.add(method);
    return List.copyOf(all);
  }

  private static @Nullable Method declared(Class<?> type, Method method) {
    Method wider = null;
    for (Method candidate : type.getDeclaredMethods()) {
      if (isCandidate(candidate, method)) {
        if (Arrays.equals(candidate.getParameterTypes(), method.getParameterTypes())) {
          return candidate;
        }
        wider = takes(candidate, method) ? candidate : wider;
      }
    }
    return wider;
  }

  private static boolean isCandidate(Method candidate, Method method) {
    return candidate.getName().equals(method.getName())
        && !candidate.isBridge()
        && !Modifier.isStatic(candidate.getModifiers())
        && !Modifier.isPrivate(candidate.getModifiers());
  }

  /** Whether a generic method may have become the other one: its erased parameters are wider. */
  private static boolean takes(Method candidate, Method method) {
    Class<?>[] wide = candidate.getParameterTypes();
    Class<?>[] narrow = method.getParameterTypes();
    if (wide.length != narrow.length) {
      return false;
    }
    for (int i = 0; i < wide.length; i++) {
      if (!wide[i].isAssignableFrom(narrow[i])) {
        return false;
      }
    }
    return true;
  }
}
