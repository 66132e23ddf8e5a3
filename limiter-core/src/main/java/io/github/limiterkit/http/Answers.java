package io.github.limiterkit.http;

import io.github.limiterkit.Ticker;
import io.github.limiterkit.http.answer.BodyForm;
import io.github.limiterkit.http.answer.FieldNames;
import io.github.limiterkit.http.answer.KeptProblems;
import io.github.limiterkit.http.answer.Problem;
import io.github.limiterkit.http.answer.Violations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what a request was charged into what it is told. */
final class Answers {

  private static final Logger log = LoggerFactory.getLogger("limiterkit");

  private static final Field NO_STORE = new Field(FieldNames.CACHE_CONTROL, "no-store");

  private final AnswerSettings settings;
  private final KeptProblems problems;
  private final LogGate gate;

  Answers(AnswerSettings settings, Ticker ticker) {
    this.settings = settings;
    this.problems = new KeptProblems(settings.problem);
    this.gate = new LogGate(ticker);
  }

  Verdict accepted(RequestLedger ledger, RequestView request, ResponseView response) {
    return new Verdict(fields(ledger, request, response, null), null, ledger.reservation());
  }

  Verdict refused(RequestLedger ledger, RequestView request, ResponseView response) {
    Violations violations = violations(ledger);
    return refused(violations, fields(ledger, request, response, violations), request);
  }

  /** A refusal of which nothing can be told but that it is not the client's fault. */
  Verdict unavailable(RequestView request) {
    return refused(Violations.unavailable(settings.longestWait), new ArrayList<>(), request);
  }

  /** How many seconds to lengthen the waits of a refusal by, so that not all come back at once. */
  long jitter() {
    return settings.jitter == 0 ? 0 : settings.random.applyAsLong(settings.jitter);
  }

  /** For clients that are not served at all; their quotas are none of their business. */
  Verdict denied(RequestView request) {
    BodyForm form = form(request);
    RefusalBody.Text own = new RefusalBody.Text(form.contentType(), Problem.forbidden(form));
    RefusalBody.Facts facts = new RefusalBody.Facts(403, 0, List.of());
    return refusal(facts, body(facts, own, request), new ArrayList<>(1), request);
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
  List<Field> fields(RequestLedger ledger, RequestView request, ResponseView response) {
    return fields(ledger, request, response, ledger.refused() ? violations(ledger) : null);
  }

  private List<Field> fields(
      RequestLedger ledger,
      RequestView request,
      ResponseView response,
      @Nullable Violations violations) {
    return new AnswerFields(settings, ledger, response, violations).all(request);
  }

  private Violations violations(RequestLedger ledger) {
    return Violations.of(
        ledger.last(), settings.longestWait, ledger.jitter(), settings.partitionKeys);
  }

  private Verdict refused(Violations violations, List<Field> fields, RequestView request) {
    if (violations.retryAfter() > 0) {
      fields.add(new Field(FieldNames.RETRY_AFTER, Long.toString(violations.retryAfter())));
    }
    BodyForm form = form(request);
    RefusalBody.Text own =
        new RefusalBody.Text(form.contentType(), problems.write(form, violations));
    RefusalBody.Facts facts =
        new RefusalBody.Facts(violations.status(), violations.retryAfter(), violations.names());
    return refusal(facts, body(facts, own, request), fields, request);
  }

  private RefusalBody.Text body(
      RefusalBody.Facts facts, RefusalBody.Text own, RequestView request) {
    RefusalBody writer = settings.body;
    if (writer == null) {
      return own;
    }
    try {
      RefusalBody.Text written = writer.write(request, facts);
      return written == null ? own : written;
    } catch (RuntimeException thrown) {
      long kept = gate.pass();
      if (kept >= 0) {
        // Its message may quote the request, so only the kind of the exception is told.
        log.warn(
            "the writer of bodies threw {}; the kit's own body is sent ({} more since the last such"
                + " line)",
            thrown.getClass().getName(),
            kept);
      }
      return own;
    }
  }

  private static Verdict refusal(
      RefusalBody.Facts facts, RefusalBody.Text body, List<Field> fields, RequestView request) {
    fields.add(NO_STORE);
    boolean head = request.method().equals("HEAD");
    return new Verdict(
        fields, new Refusal(facts.status(), body.contentType(), body.text(), !head), null);
  }

  private static BodyForm form(RequestView request) {
    return BodyForm.accepted(request.headers("Accept"));
  }
}
