package io.github.limiterkit.servlet;

import io.github.limiterkit.http.HttpRateLimiter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * What follows the first of two filters. An answer that is no failure came from behind
 * authentication, so that the second filter must have been there.
 *
 * @param chain what follows
 * @param limiter of both filters
 * @param filter the first one, for people
 */
record FirstPhaseChain(FilterChain chain, HttpRateLimiter limiter, String filter)
    implements FilterChain {

  @Override
  public void doFilter(ServletRequest request, ServletResponse response)
      throws IOException, ServletException {
    chain.doFilter(request, response);
    if (response instanceof HttpServletResponse http && http.getStatus() < 300) {
      limiter.missedSecondPhase(filter);
    }
  }
}
