package io.github.limiterkit.jaxrs;

import io.github.limiterkit.http.HttpRateLimiter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.UriInfo;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which policies the annotations name for a resource method: read once per method and remembered.
 *
 * <p>Frameworks look at annotations each in its own way, and none at all of them; so this looks at
 * the method, then at the class, each with all that it inherits from. The nearest wins.
 */
final class Annotations {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private final HttpRateLimiter limiter;
  private final Locators locators = new Locators(this);
  private final ConcurrentMap<Target, List<String>> known = new ConcurrentHashMap<>();

  /** A method may belong to a superclass of the resource. */
  private record Target(Class<?> type, Method method) {}

  Annotations(HttpRateLimiter limiter) {
    this.limiter = limiter;
  }

  /** The names for the request that has reached a method, perhaps through locators. */
  List<String> policiesOf(@Nullable ResourceInfo resource, UriInfo uri) {
    Method method = resource == null ? null : resource.getResourceMethod();
    if (resource == null || method == null) {
      return List.of();
    }
    List<String> names = policiesOf(type(resource, method), method);
    List<Object> matched = uri.getMatchedResources();
    if (matched.size() < 2) {
      return names;
    }
    Set<String> all = new LinkedHashSet<>(locators.policiesOf(matched, uri.getMatchedURIs()));
    all.addAll(names);
    return List.copyOf(all);
  }

  /**
   * Looks at a method before there is a request.
   *
   * @throws IllegalStateException if a name is of no policy
   */
  void check(ResourceInfo resource) {
    Method method = resource.getResourceMethod();
    Class<?> type = type(resource, method);
    check(type, method, read(type, method));
    for (Method locator : Locators.methodsOf(type)) {
      check(type, locator, read(type, locator));
    }
  }

  /** The names for a method of a class. */
  List<String> policiesOf(Class<?> type, Method method) {
    Target target = new Target(type, method);
    List<String> names = known.get(target);
    return names == null ? known.computeIfAbsent(target, this::readLate) : names;
  }

  /** Methods of sub-resources are unknown until a request reaches them. */
  private List<String> readLate(Target target) {
    List<String> names = read(target.type(), target.method());
    try {
      check(target.type(), target.method(), names);
    } catch (IllegalStateException wrong) {
      log.error("{}; requests to it are refused", wrong.getMessage());
    }
    return names;
  }

  private void check(Class<?> type, Method method, List<String> names) {
    for (String name : names) {
      if (limiter.policy(name) == null) {
        throw new IllegalStateException(
            "@RateLimited(\"%s\") on %s.%s: no policy is named \"%s\"%s"
                .formatted(name, type.getName(), method.getName(), name, advice(name)));
      }
    }
  }

  private String advice(String name) {
    String meant = limiter.didYouMean(name);
    return meant.isEmpty()
        ? "; there are: "
            + String.join(", ", limiter.policies().stream().map(policy -> policy.name()).toList())
        : meant;
  }

  private static Class<?> type(ResourceInfo resource, Method method) {
    Class<?> type = resource.getResourceClass();
    return type == null ? method.getDeclaringClass() : type;
  }

  private static List<String> read(Class<?> type, Method method) {
    List<AnnotatedElement> elements = new ArrayList<>(Hierarchy.of(type, method));
    elements.addAll(Hierarchy.of(type));
    for (AnnotatedElement element : elements) {
      List<String> names = namesOn(element);
      if (names != null) {
        return names;
      }
    }
    return List.of();
  }

  /** Null if it carries neither annotation, none if it is unlimited. */
  private static @Nullable List<String> namesOn(AnnotatedElement element) {
    List<String> names = new ArrayList<>();
    boolean limited = add(element, names);
    boolean unlimited = element.isAnnotationPresent(Unlimited.class);
    for (Annotation annotation : element.getAnnotations()) {
      Class<? extends Annotation> type = annotation.annotationType();
      limited |= add(type, names);
      unlimited |= type.isAnnotationPresent(Unlimited.class);
    }
    // Should somebody write both, the limit holds: only a lone @Unlimited lifts one.
    return limited ? List.copyOf(new LinkedHashSet<>(names)) : unlimited ? List.of() : null;
  }

  private static boolean add(AnnotatedElement element, List<String> names) {
    RateLimited limited = element.getAnnotation(RateLimited.class);
    if (limited != null) {
      names.addAll(List.of(limited.value()));
    }
    return limited != null;
  }
}
