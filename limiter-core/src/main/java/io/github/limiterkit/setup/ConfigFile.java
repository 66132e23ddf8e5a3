package io.github.limiterkit.setup;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.http.Route;
import io.github.limiterkit.http.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a file such as {@code limiter.yaml} says. Every error is noted, with its line and column.
 */
final class ConfigFile {

  private static final List<String> TOP =
      List.of(
          "enabled",
          "jmx",
          "shadow",
          "store",
          "degraded",
          "local",
          "trusted-proxies",
          "client-address",
          "headers",
          "policies",
          "routes",
          "preflight",
          "ignore-case",
          "error-page",
          "exempt",
          "allow",
          "deny");

  private static final List<String> TIERS = List.of("tiers", "tier-from");

  private static final List<String> ROUTE = List.of("path", "methods", "policies");

  private final Blueprint kit;
  private final Errors errors;

  /** Null for a policy that is there and wrong. */
  private final Map<String, @Nullable HttpPolicy> policies = new LinkedHashMap<>();

  private ConfigFile(Blueprint kit, Errors errors) {
    this.kit = kit;
    this.errors = errors;
  }

  /** Opens a file. */
  @FunctionalInterface
  interface Source {
    @Nullable InputStream open() throws IOException;
  }

  /** Reads a file into a description of a kit, with the variables of this process. */
  static void read(Source source, Blueprint kit, Errors errors) {
    try (InputStream in = source.open()) {
      if (in == null) {
        errors.add("there is no such file");
      } else {
        read(in.readNBytes(YamlReader.MOST_BYTES + 1), new Variables(System::getenv), kit, errors);
      }
    } catch (NoSuchFileException absent) {
      errors.add("there is no such file");
    } catch (IOException unreadable) {
      errors.add("the file cannot be read: " + unreadable);
    }
  }

  /** Reads what a file holds into a description of a kit. */
  static void read(byte[] bytes, Variables variables, Blueprint kit, Errors errors) {
    YamlNode root = YamlReader.read(bytes, errors);
    if (root instanceof YamlNode.Mapping mapping) {
      new ConfigFile(kit, errors).read(new Section("", mapping, variables, errors));
    } else if (root != null) {
      errors.add(root.at(), "the file is " + root.kind() + "; write settings, as in policies:");
    }
  }

  private void read(Section file) {
    file.refuseAllBut(TOP, List.of());
    store(file);
    settings(file, "");
    group(file, "headers", List.of());
    group(file, "degraded", List.of());
    group(file, "local", List.of());
    group(file, "trusted-proxies", List.of());
    group(file, "client-address", List.of());
    policies(file);
    for (Section route : file.sections("routes")) {
      route(route);
    }
    file.readEach("preflight", name -> kit.preflight(named(name)));
  }

  private void group(Section file, String name, List<String> later) {
    Section section = file.section(name);
    if (section != null) {
      List<String> known = settings(section, name + ".");
      section.refuseAllBut(known, later);
    }
  }

  /** Reads the settings of the kit that stand in a group, and tells their words. */
  private List<String> settings(Section section, String group) {
    List<String> known = new ArrayList<>();
    for (KitSetting setting : KitSetting.values()) {
      String path = setting.path();
      int dot = path.lastIndexOf('.') + 1;
      if (path.substring(0, dot).equals(group)) {
        String word = path.substring(dot);
        known.add(word);
        if (setting.isList()) {
          section.readEach(word, text -> setting.set(kit, text));
        } else {
          section.read(word, text -> setting.set(kit, text));
        }
      }
    }
    return known;
  }

  private void store(Section file) {
    Section section = file.section("store");
    if (section == null) {
      if (!file.has("store") && file.has("degraded")) {
        errors.attempt("degraded", ConfigFile::refuseDegradedAlone);
      }
      return;
    }
    section.refuseAllBut(StoreSettings.WORDS, List.of());
    Map<String, String> settings = new LinkedHashMap<>();
    for (String word : StoreSettings.WORDS) {
      String text = section.text(word);
      if (text != null) {
        settings.put(word, text);
      }
    }
    if (!section.has(StoreSettings.URL)) {
      errors.add(section.at(), "store: has no url; write url: redis://localhost:6379");
    } else if (!settings.getOrDefault(StoreSettings.URL, "").isBlank()) {
      // A URL that is a variable and empty means that there is no store here.
      kit.store(StoreSettings.read(settings, section::in, errors));
    }
  }

  private static void refuseDegradedAlone() {
    throw new IllegalArgumentException(
        "has no meaning without a store; add store: { url: redis://localhost:6379 }");
  }

  private static void refuseNoPolicy() {
    throw new IllegalArgumentException("is an empty list; write at least one, as in [login]");
  }

  private void policies(Section file) {
    if (!file.has("policies")) {
      errors.add(
          "policies: is missing; write at least one, as in policies: { per-client: { limits:"
              + " 100/1m } }");
    }
    Section section = file.section("policies");
    if (section == null) {
      return;
    }
    if (section.names().isEmpty()) {
      errors.add(section.at(), "policies: has no policy; write per-client: { limits: 100/1m }");
    }
    for (String name : section.names()) {
      HttpPolicy policy = policy(section, name);
      policies.put(name, policy);
      if (policy != null) {
        kit.policy(policy);
      }
    }
  }

  private @Nullable HttpPolicy policy(Section all, String name) {
    int before = errors.count();
    HttpPolicy.Builder named =
        errors.attempt(all.nameAt(name), all.in(name), () -> HttpPolicy.named(name));
    // With a name that is wrong the settings are read all the same, for the sake of their errors.
    HttpPolicy.Builder policy = named == null ? HttpPolicy.named("any") : named;
    Section section = all.section(name);
    if (section == null) {
      return null;
    }
    List<String> known = new ArrayList<>(PolicySetting.WORDS);
    known.addAll(TIERS);
    section.refuseAllBut(known, List.of());
    if (!section.has(PolicySetting.LIMITS.word())) {
      errors.add(
          section.at(), section.in("limits") + ": is missing; write COUNT/TIME, as in 100/1m");
    }
    tiers(section, policy);
    boolean limited = false;
    for (PolicySetting setting : PolicySetting.values()) {
      Consumer<String> reader = text -> setting.set(policy, named == null ? "any" : name, text);
      boolean read =
          setting.mayBeList()
              ? section.readJoined(setting.word(), reader)
              : section.read(setting.word(), reader);
      limited |= read && setting == PolicySetting.LIMITS;
    }
    return errors.count() > before || !limited
        ? null
        : errors.attempt(
            section.has("cost") ? section.in("cost") : all.in(name),
            () -> PolicySetting.build(policy, name));
  }

  private static void tiers(Section section, HttpPolicy.Builder policy) {
    section.read("tier-from", text -> policy.tierFrom(Words.attribute(text)));
    Section tiers = section.section("tiers");
    if (tiers != null) {
      for (String tier : tiers.names()) {
        tiers.read(tier, limits -> PolicySetting.tier(policy, tier, limits));
      }
    }
  }

  private void route(Section route) {
    route.refuseAllBut(ROUTE, List.of());
    List<String> methods = new ArrayList<>();
    List<HttpPolicy> charged = new ArrayList<>();
    int before = errors.count();
    String path = path(route);
    route.readEach(
        "methods",
        method -> {
          Objects.requireNonNull(Route.of(List.of(method), path, List.of(Words.ANY)));
          methods.add(method); // which could be read
        });
    if (!route.has("policies")) {
      errors.add(route.at(), route.in("policies") + ": is missing; write a list, as in [login]");
    }
    int beforePolicies = errors.count();
    route.readEach("policies", name -> charged.add(named(name)));
    if (route.has("policies") && charged.isEmpty() && errors.count() == beforePolicies) {
      errors.attempt(route.in("policies"), ConfigFile::refuseNoPolicy);
    }
    if (errors.count() == before) {
      errors.attempt(route.in("policies"), () -> kit.route(Route.of(methods, path, charged)));
    }
  }

  /** The path of a route, or any path if there is none that can be read. */
  private String path(Section route) {
    if (!route.has("path")) {
      errors.add(route.at(), route.in("path") + ": is missing; write /* for every path");
    }
    String[] path = {"/*"};
    route.read(
        "path",
        text -> {
          if (text.matches("[A-Za-z]+ +/.*")) {
            throw new IllegalArgumentException(
                "\"%s\" has a method in it; write it apart, as in methods: [POST]".formatted(text));
          }
          path[0] = Words.path(text);
        });
    return path[0];
  }

  private HttpPolicy named(String name) {
    if (!policies.containsKey(name)) {
      throw new IllegalArgumentException(
          "no policy is named \"%s\"%s"
              .formatted(name, Spelling.didYouMean(name, policies.keySet())));
    }
    HttpPolicy policy = policies.get(name);
    return policy == null ? Words.ANY : policy;
  }
}
