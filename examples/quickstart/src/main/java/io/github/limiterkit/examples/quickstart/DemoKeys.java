package io.github.limiterkit.examples.quickstart;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.Map;

/** Authentication for a demo: two known keys, two users. */
@Priority(Priorities.AUTHENTICATION)
final class DemoKeys implements ContainerRequestFilter {

  private static final Map<String, String> USERS = Map.of("demo-1", "ada", "demo-2", "grace");

  @Override
  public void filter(ContainerRequestContext request) {
    String user = USERS.get(String.valueOf(request.getHeaderString("X-Api-Key")));
    if (user != null) {
      request.setSecurityContext(new DemoUser(user));
    }
  }
}
