package io.github.limiterkit.setup;

import io.github.limiterkit.Limit;
import io.github.limiterkit.Mode;
import io.github.limiterkit.Policy;
import io.github.limiterkit.Scope;
import io.github.limiterkit.WhenStoreFails;
import io.github.limiterkit.degraded.LocalRule;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.HttpRateLimiter;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.Route;
import io.github.limiterkit.redis.RedisStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the kit says of itself when it starts: who is limited, where, and what if the store goes.
 */
final class StartBlock {

  private final @Nullable RedisStore store;
  private final @Nullable Integer configuredFleet;
  private final HttpRateLimiter http;
  private final List<String> exempt;

  StartBlock(
      @Nullable RedisStore store,
      @Nullable Integer configuredFleet,
      HttpRateLimiter http,
      List<String> exempt) {
    this.store = store;
    this.configuredFleet = configuredFleet;
    this.http = http;
    this.exempt = List.copyOf(exempt);
  }

  String text(Mode mode) {
    StringBuilder text = new StringBuilder("limiterkit");
    String version = StartBlock.class.getPackage().getImplementationVersion();
    if (version != null) {
      text.append(' ').append(version);
    }
    text.append(": ");
    if (store == null) {
      text.append("no store, full quotas on this instance");
    } else {
      text.append(
          "store %s (namespace %s, deadline %d ms), fleet of %d"
              .formatted(store, store.namespace(), store.deadline().toMillis(), fleet()));
    }
    text.append(", mode ").append(mode);
    if (!http.isEnabled()) {
      text.append(", switched off");
    }
    Columns columns = new Columns();
    for (HttpPolicy policy : http.policies()) {
      columns.add(row(policy));
    }
    if (!exempt.isEmpty()) {
      columns.add(List.of("exempt", String.join("  ", exempt)));
    }
    return text.append(columns).toString();
  }

  /** Each with a code that stays the same, so that it can be searched for. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (!http.isEnabled()) {
      warnings.add("LK005 the kit is switched off (enabled: false): nothing is counted or refused");
      return warnings;
    }
    List<HttpPolicy> shadow = http.policies().stream().filter(http::isShadow).toList();
    if (!shadow.isEmpty()) {
      warnings.add(
          "LK006 tried out only (shadow: true), counted but never refused: "
              + shadow.stream().map(HttpPolicy::name).collect(Collectors.joining(", ")));
    }
    if (store == null) {
      return warnings;
    }
    boolean shares = http.policies().stream().anyMatch(StartBlock::isShared);
    if (configuredFleet == null && shares) {
      warnings.add(
          "LK001 fleetSize is not set and counts as 1: more instances are counted only once"
              + " they have been seen in the store, and one that starts without it gives out the"
              + " whole quota");
    }
    LocalRule rule = LocalRule.ofFleet(fleet());
    for (HttpPolicy policy : http.policies()) {
      Policy counted = policy.policy();
      if (!isShared(policy)) {
        continue;
      }
      for (Limit limit : counted.limits()) {
        boolean coarse = counted.safety() * limit.permits() / fleet() < 2;
        boolean divided = fleet() > 1 || rule.quotaHere(limit, counted.safety()) < limit.permits();
        if (coarse && divided && counted.whenStoreFails() == WhenStoreFails.LOCAL) {
          warnings.add(
              "LK002 policy %s: while the store is lost, %s becomes 1/%s on each instance"
                  .formatted(counted.name(), limit, limit.windowText()));
        }
      }
    }
    return warnings;
  }

  /** How much of each quota this instance gives out alone, for the log line of a loss. */
  static String shareInWords(int fleet) {
    return fleet == 1
        ? "limiting locally with full quotas, as a fleet of 1"
        : "limiting locally with about 1/" + fleet + " of each quota on this instance";
  }

  private int fleet() {
    return configuredFleet == null ? 1 : configuredFleet;
  }

  private List<String> row(HttpPolicy policy) {
    List<String> row = new ArrayList<>();
    row.add(policy.name());
    row.add(limits(policy));
    row.add(
        "by "
            + Keys.describe(policy.key())
            + failures(policy)
            + (http.isShadow(policy) ? ", tried out" : ""));
    row.add(where(policy));
    if (store != null) {
      row.add(
          isShared(policy)
              ? "store lost: " + alone(policy)
              : "on each instance alone, with the store or without");
    }
    return row;
  }

  private static boolean isShared(HttpPolicy policy) {
    return policy.policy().scope() == Scope.SHARED;
  }

  private static String failures(HttpPolicy policy) {
    return policy.failures().isEmpty()
        ? ""
        : policy.failures().stream()
            .map(String::valueOf)
            .collect(Collectors.joining(" ", ", counts ", ""));
  }

  private static String limits(HttpPolicy policy) {
    StringBuilder text = new StringBuilder(joined(policy.policy()));
    policy
        .tiers()
        .forEach(
            (tier, limits) -> text.append(", ").append(tier).append(' ').append(joined(limits)));
    return text.toString();
  }

  private static String joined(Policy policy) {
    return policy.limits().stream().map(Limit::toString).collect(Collectors.joining(", "));
  }

  private String where(HttpPolicy policy) {
    String routes =
        http.routes().stream()
            .filter(route -> route.policies().contains(policy))
            .map(Route::toString)
            .collect(Collectors.joining(", "));
    return routes.isEmpty() ? "where it is named" : "on " + routes;
  }

  private String alone(HttpPolicy policy) {
    return switch (policy.policy().whenStoreFails()) {
      case OPEN -> "open, everything passes";
      case CLOSED -> "closed, everything is refused";
      case LOCAL -> {
        StringBuilder text = new StringBuilder("local, ").append(here(policy.policy()));
        policy
            .tiers()
            .forEach(
                (tier, limits) -> text.append(", ").append(tier).append(' ').append(here(limits)));
        yield text.append(" here").toString();
      }
    };
  }

  private String here(Policy policy) {
    LocalRule rule = LocalRule.ofFleet(fleet());
    return policy.limits().stream()
        .map(limit -> rule.quotaHere(limit, policy.safety()) + "/" + limit.windowText())
        .collect(Collectors.joining(", "));
  }
}
