package io.github.limiterkit.http;

import io.github.limiterkit.Source;
import io.github.limiterkit.http.answer.Closest;
import io.github.limiterkit.http.answer.Dialect;
import io.github.limiterkit.http.answer.FieldList;
import io.github.limiterkit.http.answer.FieldNames;
import io.github.limiterkit.http.answer.Judged;
import io.github.limiterkit.http.answer.LegacyFields;
import io.github.limiterkit.http.answer.RateLimitFields;
import io.github.limiterkit.http.answer.Violations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of one answer, in the dialect of the kit. */
final class AnswerFields {

  private final AnswerSettings settings;
  private final RequestLedger ledger;
  private final ResponseView response;
  private final @Nullable Violations violations;
  private final List<Field> fields = new ArrayList<>(6);

  AnswerFields(
      AnswerSettings settings,
      RequestLedger ledger,
      ResponseView response,
      @Nullable Violations violations) {
    this.settings = settings;
    this.ledger = ledger;
    this.response = response;
    this.violations = violations;
  }

  /** All of them, but for those that only a refusal has. */
  List<Field> all(RequestView request) {
    List<Judged> judged = ledger.all();
    if (settings.dialect == Dialect.DRAFT_11) {
      list(FieldNames.RATE_LIMIT_POLICY, RateLimitFields.policies(judged, violations != null));
      list(FieldNames.RATE_LIMIT, violations == null ? accepted(judged) : violations.rateLimit());
    }
    if (settings.dialect != Dialect.DRAFT_11 || settings.legacy != LegacyFields.OFF) {
      Closest closest = Closest.of(judged, violations, settings.longestWait);
      if (closest != null) {
        one(closest);
        legacy(closest);
      }
    }
    Source source = ledger.source();
    if (settings.showsSource && source != null && !ledger.isEmpty()) {
      String word = source.name().toLowerCase(Locale.ROOT).replace('_', '-');
      set(FieldNames.LIMITER_SOURCE, word);
    }
    if (settings.exposes && !request.headers("Origin").isEmpty()) {
      expose();
    }
    return fields;
  }

  private String accepted(List<Judged> judged) {
    List<Judged> told = settings.onlyClosest ? RateLimitFields.closest(judged) : judged;
    return RateLimitFields.accepted(told, settings.longestWait, settings.partitionKeys);
  }

  /** Joins our members to those of others. */
  private void list(String name, String members) {
    // An empty list is no field, and what others have set is left alone if we have nothing to say.
    if (!members.isEmpty()) {
      Collection<String> present = response.headers(name);
      set(name, present.isEmpty() ? members : FieldList.join(present, ledger::isOurs, members));
    }
  }

  private void one(Closest closest) {
    String policy = closest.quota() + ";w=" + closest.window();
    switch (settings.dialect) {
      case DRAFT_07 -> {
        set(FieldNames.RATE_LIMIT_POLICY, policy);
        set(
            FieldNames.RATE_LIMIT,
            "limit="
                + closest.quota()
                + ", remaining="
                + closest.remaining()
                + ", reset="
                + closest.reset());
      }
      case DRAFT_06 -> {
        set(FieldNames.RATE_LIMIT_POLICY, policy);
        set(FieldNames.RATE_LIMIT_LIMIT, closest.quota());
        set(FieldNames.RATE_LIMIT_REMAINING, closest.remaining());
        set(FieldNames.RATE_LIMIT_RESET, closest.reset());
      }
      default -> {} // told already, or not at all
    }
  }

  private void legacy(Closest closest) {
    if (settings.legacy != LegacyFields.OFF) {
      boolean epoch = settings.legacy == LegacyFields.EPOCH;
      set(FieldNames.X_RATE_LIMIT_LIMIT, closest.quota());
      set(FieldNames.X_RATE_LIMIT_REMAINING, closest.remaining());
      set(FieldNames.X_RATE_LIMIT_RESET, closest.reset() + (epoch ? settings.clock.seconds() : 0));
    }
  }

  /** Names our fields to scripts, beside what others have named, and none twice. */
  private void expose() {
    StringBuilder value = new StringBuilder();
    Collection<String> present = response.headers(FieldNames.EXPOSE);
    present.forEach(line -> append(value, line));
    List<String> names = new ArrayList<>(List.of(FieldNames.RETRY_AFTER));
    fields.forEach(field -> names.add(field.name()));
    for (String name : names) {
      if (!names(value.toString(), name)) {
        append(value, name);
      }
    }
    set(FieldNames.EXPOSE, value.toString());
  }

  private static void append(StringBuilder value, String text) {
    if (!text.isBlank()) {
      value.append(value.isEmpty() ? "" : ", ").append(text.strip());
    }
  }

  private static boolean names(String list, String name) {
    for (String element : list.split(",", -1)) {
      if (element.strip().equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  private void set(String name, long value) {
    set(name, Long.toString(value));
  }

  private void set(String name, String value) {
    fields.add(new Field(name, value));
  }
}
