package io.github.limiterkit.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bodies of refusals in place of the kit.
 *
 * <pre>{@code
 * .refusalBody((request, refused) ->
 *     new RefusalBody.Text("application/json", "{\"wait\":" + refused.retryAfter() + "}"))
 * }</pre>
 *
 * <p>Status and fields stay the kit's. Implementations are safe for use by several threads and do
 * not block. One that throws is as one that returns null; the log says so at most once a minute.
 */
@FunctionalInterface
public interface RefusalBody {

  /**
   * Writes a body.
   *
   * @param request that is refused; what it holds must be escaped before it is written
   * @param refused why
   * @return the body; null for the kit's own
   */
  @Nullable Text write(RequestView request, Facts refused);

  /**
   * What a refusal says.
   *
   * @param status 429, 503, or 403 for a client that is not served
   * @param retryAfter seconds to wait; 0 if no wait helps
   * @param policies names of the limits that had no room and may be shown, perhaps none
   */
  record Facts(int status, long retryAfter, List<String> policies) {

    /**
     * Takes a copy of the list.
     *
     * @param status 429, 503, or 403 for a client that is not served
     * @param retryAfter seconds to wait; 0 if no wait helps
     * @param policies names of the limits that had no room and may be shown, perhaps none
     */
    public Facts {
      policies = List.copyOf(policies);
    }
  }

  /**
   * A body.
   *
   * @param contentType value of {@code Content-Type}; say {@code charset=utf-8} where the type has
   *     such a parameter
   * @param text sent as UTF-8
   */
  record Text(String contentType, String text) {}
}
