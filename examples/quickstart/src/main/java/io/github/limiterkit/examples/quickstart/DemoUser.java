package io.github.limiterkit.examples.quickstart;

import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/** A user who showed a known key. */
record DemoUser(String name) implements SecurityContext {

  @Override
  public Principal getUserPrincipal() {
    return () -> name;
  }

  @Override
  public boolean isUserInRole(String role) {
    return false;
  }

  @Override
  public boolean isSecure() {
    return false;
  }

  @Override
  public String getAuthenticationScheme() {
    return "API-KEY";
  }
}
