package io.github.limiterkit.examples.outagereplay;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import redis.clients.jedis.exceptions.JedisException;

/** Lets a request pass when Redis does not answer in time. */
final class FailOpen implements Protection {

  private final TokenBuckets buckets;
  private volatile boolean answered = true;

  FailOpen(String redisUrl) {
    buckets = new TokenBuckets(redisUrl);
  }

  @Override
  public Filter filter() {
    return (request, response, api) -> {
      if (admits(((HttpServletRequest) request).getHeader(CLIENT))) {
        api.doFilter(request, response);
      } else {
        ((HttpServletResponse) response).setStatus(TOO_MANY);
      }
    };
  }

  private boolean admits(String client) {
    try {
      boolean taken = buckets.take(client);
      answered = true;
      return taken;
    } catch (JedisException lost) {
      answered = false;
      return true;
    }
  }

  @Override
  public boolean countsInStore() {
    return answered;
  }

  @Override
  public void close() {
    buckets.close();
  }
}
