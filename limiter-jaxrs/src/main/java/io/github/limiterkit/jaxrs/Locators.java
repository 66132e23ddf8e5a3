package io.github.limiterkit.jaxrs;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;

/**
 * Enforces annotations on sub-resource locators, which no implementation does, for everything
 * beneath.
 *
 * <p>No implementation tells which locators a request went through, only which resources and paths
 * it has matched; what cannot be told apart by these counts as passed.
 */
final class Locators {

  private final Annotations annotations;
  private final ConcurrentMap<Class<?>, List<Locator>> known = new ConcurrentHashMap<>();

  /** One locator that names policies. */
  private record Locator(Class<?> returns, Pattern path, List<String> policies) {

    boolean mayReturn(Class<?> child) {
      return returns.isAssignableFrom(child) || returns == Class.class;
    }

    boolean isOn(List<String> uris) {
      return uris.stream().anyMatch(uri -> path.matcher(uri).matches());
    }
  }

  Locators(Annotations annotations) {
    this.annotations = annotations;
  }

  /** The names on the locators between the resources, of which the last reached is the first. */
  Set<String> policiesOf(List<Object> matchedResources, List<String> matchedUris) {
    Set<String> names = new LinkedHashSet<>();
    for (int i = matchedResources.size() - 1; i > 0; i--) {
      Class<?> child = type(matchedResources.get(i - 1));
      for (Locator locator : of(type(matchedResources.get(i)))) {
        if (locator.mayReturn(child) && locator.isOn(matchedUris)) {
          names.addAll(locator.policies());
        }
      }
    }
    return names;
  }

  /** The methods of a class that lead to sub-resources. */
  static List<Method> methodsOf(Class<?> type) {
    List<Method> methods = new ArrayList<>();
    for (Method method : type.getMethods()) {
      if (!method.isBridge() && isLocator(type, method)) {
        methods.add(method);
      }
    }
    return methods;
  }

  private List<Locator> of(Class<?> type) {
    List<Locator> locators = known.get(type);
    return locators == null ? known.computeIfAbsent(type, this::read) : locators;
  }

  private List<Locator> read(Class<?> type) {
    List<Locator> locators = new ArrayList<>();
    for (Method method : methodsOf(type)) {
      List<String> policies = annotations.policiesOf(type, method);
      if (!policies.isEmpty()) {
        locators.add(new Locator(method.getReturnType(), endingWith(path(type, method)), policies));
      }
    }
    return List.copyOf(locators);
  }

  private static boolean isLocator(Class<?> type, Method method) {
    boolean path = false;
    for (Method one : Hierarchy.of(type, method)) {
      path |= one.isAnnotationPresent(Path.class);
      for (Annotation annotation : one.getAnnotations()) {
        if (annotation.annotationType().isAnnotationPresent(HttpMethod.class)) {
          return false;
        }
      }
    }
    return path;
  }

  private static String path(Class<?> type, Method method) {
    for (Method one : Hierarchy.of(type, method)) {
      Path path = one.getAnnotation(Path.class);
      if (path != null) {
        return path.value();
      }
    }
    return "";
  }

  /** Paths that end with a template; what a template says of its text is not looked at. */
  private static Pattern endingWith(String template) {
    StringBuilder regex = new StringBuilder("(.*/)?");
    int from = template.startsWith("/") ? 1 : 0;
    int to = template.endsWith("/") ? template.length() - 1 : template.length();
    while (from < to) {
      int open = template.indexOf('{', from);
      int end = open < 0 || open > to ? to : open;
      regex.append(Pattern.quote(template.substring(from, end)));
      if (end < to) {
        regex.append(".+");
        end = closing(template, end) + 1;
      }
      from = end;
    }
    return Pattern.compile(regex.append("/?").toString(), Pattern.DOTALL);
  }

  private static int closing(String template, int open) {
    int depth = 0;
    for (int i = open; i < template.length(); i++) {
      char c = template.charAt(i);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return template.length() - 1;
  }

  /** Most implementations list instances, CXF lists classes. */
  private static Class<?> type(Object resource) {
    return resource instanceof Class<?> type ? type : resource.getClass();
  }
}
