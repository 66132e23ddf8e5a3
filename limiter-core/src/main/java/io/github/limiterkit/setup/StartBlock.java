package io.github.limiterkit.setup;

import io.github.limiterkit.Limit;
import io.github.limiterkit.Mode;
import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.HttpRateLimiter;
import io.github.limiterkit.http.Keys;
import io.github.limiterkit.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the kit says of itself when it starts: who is limited, where, and what if the store goes.
 */
final class StartBlock {

  private final HttpRateLimiter http;
  private final List<String> exempt;

  StartBlock(HttpRateLimiter http, List<String> exempt) {
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
    text.append("no store, full quotas on this instance");
    text.append(", mode ").append(mode);
    Columns columns = new Columns();
    for (HttpPolicy policy : http.policies()) {
      columns.add(row(policy));
    }
    if (!exempt.isEmpty()) {
      columns.add(List.of("exempt", String.join("  ", exempt)));
    }
    return text.append(columns).toString();
  }

  private List<String> row(HttpPolicy policy) {
    List<String> row = new ArrayList<>();
    row.add(policy.name());
    row.add(
        policy.policy().limits().stream().map(Limit::toString).collect(Collectors.joining(", ")));
    row.add("by " + Keys.describe(policy.key()));
    row.add(where(policy));
    return row;
  }

  private String where(HttpPolicy policy) {
    String routes =
        http.routes().stream()
            .filter(route -> route.policies().contains(policy))
            .map(Route::toString)
            .collect(Collectors.joining(", "));
    return routes.isEmpty() ? "where it is named" : "on " + routes;
  }
}
