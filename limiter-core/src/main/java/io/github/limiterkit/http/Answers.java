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
    fields.add(new Field(FieldNames.CACHE_CONTROL, "no-store"));
    BodyForm form = BodyForm.accepted(request.headers("Accept"));
    boolean head = request.method().equals("HEAD");
    return new Verdict(
        fields,
        new Refusal(
            violations.status(), form.contentType(), problem.write(form, violations), !head));
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
