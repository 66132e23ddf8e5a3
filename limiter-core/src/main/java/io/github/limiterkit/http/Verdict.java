package io.github.limiterkit.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request: what to set on the response, and whether to let it through.
 *
 * <pre>{@code
 * Verdict verdict = limiter.check(request, response::getHeaders);
 * verdict.fields().forEach(field -> response.setHeader(field.name(), field.value()));
 * Refusal refusal = verdict.refusal();
 * if (refusal == null) {
 *   chain.doFilter(request, response);
 * }
 * Reservation reservation = verdict.reservation();
 * if (reservation != null) {
 *   reservation.settle(response.getStatus());
 * }
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @param fields to be set before the application runs, each in place of what is there; none if no
 *     policy applied
 * @param refusal what to answer in place of the application; null to let the request through
 * @param reservation to be settled when the application has answered; null if there is nothing to
 *     settle
 */
public record Verdict(
    List<Field> fields, @Nullable Refusal refusal, @Nullable Reservation reservation) {

  /** Let it through and say nothing. */
  public static final Verdict PASS = new Verdict(List.of(), null, null);

  /**
   * Takes a copy of the list, unless it is immutable already.
   *
   * @param fields to be set on the response
   * @param refusal what to answer in place of the application; null to let the request through
   * @param reservation to be settled when the application has answered; null if there is nothing to
   *     settle
   */
  public Verdict {
    fields = List.copyOf(fields);
  }

  /**
   * Whether the request is refused.
   *
   * @return true if there is a refusal
   */
  public boolean refused() {
    return refusal != null;
  }
}
