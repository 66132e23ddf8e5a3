package io.github.limiterkit.examples.outagereplay;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Asks Redis once more when it does not answer in time, and then denies. One retry, as in the
 * outage that is replayed; go-redis makes three unless it is told otherwise, which is worse.
 */
final class RetryThenDeny implements Protection {

  private static final long LEAST_PAUSE_MILLIS = 8;
  private static final long LONGEST_PAUSE_MILLIS = 24;

  private final TokenBuckets buckets;
  private volatile boolean answered = true;

  RetryThenDeny(String redisUrl) {
    buckets = new TokenBuckets(redisUrl);
  }

  @Override
  public Filter filter() {
    return (request, response, api) -> {
      int status = ask(((HttpServletRequest) request).getHeader(CLIENT));
      if (status == HttpServletResponse.SC_OK) {
        api.doFilter(request, response);
      } else {
        ((HttpServletResponse) response).setStatus(status);
      }
    };
  }

  private int ask(String client) {
    try {
      return answer(client);
    } catch (JedisException lost) {
      pause();
    }
    try {
      return answer(client);
    } catch (JedisException lostAgain) {
      answered = false;
      return HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
    }
  }

  private int answer(String client) {
    boolean taken = buckets.take(client);
    answered = true;
    return taken ? HttpServletResponse.SC_OK : TOO_MANY;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(
          ThreadLocalRandom.current().nextLong(LEAST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
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
