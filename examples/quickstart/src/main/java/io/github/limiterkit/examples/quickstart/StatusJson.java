package io.github.limiterkit.examples.quickstart;

import io.github.limiterkit.metrics.DecisionCount;
import io.github.limiterkit.setup.KitStatus;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A kit's status as JSON: policy, then source, then outcome. */
final class StatusJson {

  private StatusJson() {}

  static String of(KitStatus status, @Nullable EmbeddedRedis redis) {
    Map<String, String> json = new LinkedHashMap<>();
    json.put("mode", text(status.mode().name()));
    json.put("alarm", status.alarm() == null ? "null" : text(status.alarm()));
    json.put("redisPid", redis == null ? "null" : Long.toString(redis.pid()));
    json.put("redisPort", redis == null ? "null" : Integer.toString(redis.port()));
    json.put("redisAlive", Boolean.toString(redis != null && redis.isAlive()));
    json.put("redisCommand", redis == null ? "null" : text(redis.command()));
    json.put("policies", policies(status));
    return object(json);
  }

  private static String policies(KitStatus status) {
    Map<String, Map<String, Map<String, String>>> counts = new LinkedHashMap<>();
    status.policies().forEach(policy -> counts.put(policy, new TreeMap<>()));
    for (DecisionCount count : status.decisions()) {
      counts
          .computeIfAbsent(count.policy(), policy -> new TreeMap<>())
          .computeIfAbsent(word(count.source()), source -> new TreeMap<>())
          .put(word(count.outcome()), Long.toString(count.count()));
    }
    Map<String, String> policies = new LinkedHashMap<>();
    counts.forEach(
        (policy, sources) -> {
          Map<String, String> bySource = new TreeMap<>();
          sources.forEach((source, outcomes) -> bySource.put(source, object(outcomes)));
          policies.put(policy, object(bySource));
        });
    return object(policies);
  }

  private static String object(Map<String, String> members) {
    return members.entrySet().stream()
        .map(member -> text(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String text(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
