package io.github.limiterkit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads the words of the configuration for who is counted. */
final class KeyWords {

  private static final List<String> FORMS =
      List.of(
          "client-address",
          "principal",
          "path-template",
          "header:NAME",
          "cookie:NAME",
          "attribute:NAME",
          "constant:TEXT");

  private static final Map<String, KeyResolver> PLAIN =
      Map.of(
          "client-address", Keys.clientAddress(),
          "principal", Keys.principal(),
          "path-template", Keys.pathTemplate(),
          "refuse", Keys.refuse());

  private static final Map<String, Function<String, KeyResolver>> NAMED =
      new TreeMap<>(
          Map.of(
              "header", Keys::header,
              "cookie", Keys::cookie,
              "attribute", Keys::attribute,
              "constant", Keys::constant));

  private KeyWords() {}

  static KeyResolver parse(String text) {
    List<KeyResolver> resolvers = new ArrayList<>();
    for (String element : text.split(",", -1)) {
      String word = element.strip();
      if (!resolvers.isEmpty()) {
        if (!word.startsWith("else ")) {
          throw new IllegalArgumentException(
              "\"%s\": what follows a comma begins with else, as in principal, else client-address"
                  .formatted(text.strip()));
        }
        word = word.substring("else ".length()).strip();
      }
      resolvers.add(joined(word));
    }
    if (resolvers.indexOf(Keys.refuse()) < resolvers.size() - 1
        && resolvers.contains(Keys.refuse())) {
      throw new IllegalArgumentException(
          "\"%s\": refuse is the last word, for nothing can follow it".formatted(text.strip()));
    }
    KeyResolver last = resolvers.get(resolvers.size() - 1);
    for (int i = resolvers.size() - 2; i >= 0; i--) {
      last = resolvers.get(i).orElse(last);
    }
    return last;
  }

  private static KeyResolver joined(String words) {
    if (!words.contains(" + ")) {
      return one(words);
    }
    List<KeyResolver> parts = new ArrayList<>();
    for (String word : words.split(" \\+ ", -1)) {
      parts.add(one(word.strip()));
    }
    if (parts.contains(Keys.refuse())) {
      throw new IllegalArgumentException("\"" + words + "\": refuse is no key to be joined");
    }
    return new JoinedKey(parts);
  }

  private static KeyResolver one(String word) {
    KeyResolver plain = PLAIN.get(word);
    if (plain != null) {
      return plain;
    }
    int colon = word.indexOf(':');
    String head = colon < 0 ? word : word.substring(0, colon);
    Function<String, KeyResolver> named = NAMED.get(head);
    if (named != null && colon >= 0) {
      return named.apply(word.substring(colon + 1).strip());
    }
    throw unknown(word, head);
  }

  private static IllegalArgumentException unknown(String word, String head) {
    List<String> heads = new ArrayList<>(PLAIN.keySet().stream().sorted().toList());
    heads.addAll(NAMED.keySet());
    String meant = Spelling.nearest(head, heads);
    String advice =
        FORMS.stream()
            .filter(form -> form.equals(meant) || form.startsWith(meant + ":"))
            .findFirst()
            .map(form -> "; did you mean \"" + form + "\"?")
            .orElse("");
    return new IllegalArgumentException(
        "there is no key \"%s\"%s (keys: %s; several as one joined by \" + \", one in place of"
                .formatted(word, advice, String.join(", ", FORMS))
            + " another by \", else \"; else refuse)");
  }
}
