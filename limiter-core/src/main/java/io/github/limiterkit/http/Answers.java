package io.github.limiterkit.http;

import io.github.limiterkit.Source;
import io.github.limiterkit.http.answer.BodyForm;
import io.github.limiterkit.http.answer.FieldList;
import io.github.limiterkit.http.answer.FieldNames;
import io.github.limiterkit.http.answer.Judged;
import io.github.limiterkit.http.answer.Problem;
import io.github.limiterkit.http.answer.RateLimitFields;
import io.github.limiterkit.http.answer.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a request was charged into what it is told.
 *
 * @param longestWait the most seconds to tell
 * @param problem the types of the body
 * @param showsSource whether to say who decided
 */
record Answers(long longestWait, Problem problem, boolean showsSource) {

  Verdict accepted(RequestLedger ledger, ResponseView response) {
    return new Verdict(fields(ledger, response, null), null);
  }

  Verdict refused(RequestLedger ledger, RequestView request, ResponseView response) {
    Violations violations = violations(ledger);
    return refused(violations, fields(ledger, response, violations), request);
  }

  /** A refusal of which nothing can be told but that it is not the client's fault. */
  Verdict unavailable(RequestView request) {
    return refused(Violations.unavailable(longestWait), new ArrayList<>(), request);
  }

  /** For clients that are not served at all; their quotas are none of their business. */
  Verdict denied(RequestView request) {
    BodyForm form = form(request);
    return refusal(403, Problem.forbidden(form), form, List.of(), request);
  }

  /** For requests that lack the key of a policy which refuses them for that. */
  Verdict keyless(List<HttpPolicy> policies, RequestView request) {
    List<String> shown = new ArrayList<>();
    int status = Violations.SERVICE_UNAVAILABLE;
    for (HttpPolicy policy : policies) {
      if (policy.status() == Violations.TOO_MANY_REQUESTS) {
        status = Violations.TOO_MANY_REQUESTS;
      }
      if (policy.headers().shows(true)) {
        shown.add(policy.name());
      }
    }
    return refused(Violations.keyless(status, shown), new ArrayList<>(), request);
  }

  /** The fields that every answer to this request carries. */
  List<Field> fields(RequestLedger ledger, ResponseView response) {
    return fields(ledger, response, ledger.refused() ? violations(ledger) : null);
  }

  private Violations violations(RequestLedger ledger) {
    return Violations.of(ledger.last(), longestWait);
  }

  private Verdict refused(Violations violations, List<Field> fields, RequestView request) {
    if (violations.retryAfter() > 0) {
      fields.add(new Field(FieldNames.RETRY_AFTER, Long.toString(violations.retryAfter())));
    }
    BodyForm form = form(request);
    return refusal(violations.status(), problem.write(form, violations), form, fields, request);
  }

  private static Verdict refusal(
      int status, String body, BodyForm form, List<Field> fields, RequestView request) {
    List<Field> all = new ArrayList<>(fields);
    all.add(new Field(FieldNames.CACHE_CONTROL, "no-store"));
    boolean head = request.method().equals("HEAD");
    return new Verdict(all, new Refusal(status, form.contentType(), body, !head));
  }

  private static BodyForm form(RequestView request) {
    return BodyForm.accepted(request.headers("Accept"));
  }

  private List<Field> fields(
      RequestLedger ledger, ResponseView response, @Nullable Violations violations) {
    List<Field> fields = new ArrayList<>(5);
    List<Judged> all = ledger.all();
    add(
        fields,
        ledger,
        response,
        FieldNames.RATE_LIMIT_POLICY,
        RateLimitFields.policies(all, violations != null));
    add(
        fields,
        ledger,
        response,
        FieldNames.RATE_LIMIT,
        violations == null ? RateLimitFields.accepted(all, longestWait) : violations.rateLimit());
    Source source = ledger.source();
    if (showsSource && source != null) {
      String word = source.name().toLowerCase(Locale.ROOT).replace('_', '-');
      fields.add(new Field(FieldNames.LIMITER_SOURCE, word));
    }
    return fields;
  }

  private static void add(
      List<Field> fields,
      RequestLedger ledger,
      ResponseView response,
      String name,
      String members) {
    String value = FieldList.join(response.headers(name), ledger::isOurs, members);
    // An empty list is no field, and what others have set is left alone if we have nothing to say.
    if (!value.isEmpty() && !members.isEmpty()) {
      fields.add(new Field(name, value));
    }
  }
}
