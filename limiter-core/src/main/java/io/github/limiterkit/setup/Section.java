package io.github.limiterkit.setup;

import io.github.limiterkit.http.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group of settings in a file, and where it is. Whatever is asked of it and is not of the kind
 * asked for is noted as an error and is as if it were not there.
 */
final class Section {

  private final String place;
  private final YamlNode.Mapping mapping;
  private final Variables variables;
  private final Errors errors;

  Section(String place, YamlNode.Mapping mapping, Variables variables, Errors errors) {
    this.place = place;
    this.mapping = mapping;
    this.variables = variables;
    this.errors = errors;
    mapping.entries().forEach((name, entry) -> errors.position(in(name), entry.node().at()));
  }

  /** The place of a setting in it, as in {@code policies.login.limits}. */
  String in(String name) {
    return place.isEmpty() ? name : place + "." + name;
  }

  Position at() {
    return mapping.at();
  }

  boolean has(String name) {
    return mapping.entries().containsKey(name);
  }

  Set<String> names() {
    return mapping.entries().keySet();
  }

  /**
   * Notes every name that means nothing here.
   *
   * @param known the names that mean something
   * @param later those that will, in a later version
   */
  void refuseAllBut(Collection<String> known, Collection<String> later) {
    List<String> all = new ArrayList<>(known);
    all.addAll(later);
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              String where = place.isEmpty() ? "" : place + ": ";
              if (later.contains(name)) {
                errors.add(
                    entry.at(), where + "\"" + name + "\" is not supported yet; leave it out");
              } else if (!known.contains(name)) {
                String meant = Spelling.didYouMean(name, all);
                errors.add(
                    entry.at(),
                    where
                        + "there is no setting \"%s\"%s"
                            .formatted(
                                name,
                                meant.isEmpty()
                                    ? "; there are: " + String.join(", ", known)
                                    : meant));
              }
            });
  }

  /** The text of a setting with the variables in it filled in; null if there is none. */
  @Nullable String text(String name) {
    YamlNode node = node(name);
    return node == null ? null : text(node, in(name), "one text");
  }

  /** Where a name is written, not what it stands for. */
  @Nullable Position nameAt(String name) {
    YamlNode.Entry entry = mapping.entries().get(name);
    return entry == null ? null : entry.at();
  }

  /** Reads a setting that is a text, if it is there; tells whether it was and could be read. */
  boolean read(String name, Consumer<String> reader) {
    String text = text(name);
    if (text == null) {
      return false;
    }
    int before = errors.count();
    errors.attempt(in(name), () -> reader.accept(text));
    return errors.count() == before;
  }

  /** As {@link #read}, of a setting that may be a list of texts, too. */
  boolean readJoined(String name, Consumer<String> reader) {
    if (!(node(name) instanceof YamlNode.Sequence)) {
      return read(name, reader);
    }
    int before = errors.count();
    List<String> texts = new ArrayList<>();
    readEach(name, texts::add);
    if (errors.count() == before) {
      errors.attempt(in(name), () -> reader.accept(String.join(", ", texts)));
    }
    return errors.count() == before;
  }

  /** Reads the elements of a setting that is a list of texts, if it is there. */
  void readEach(String name, Consumer<String> reader) {
    for (YamlNode element : elements(name, "a list of texts, as in [a, b]")) {
      String text = text(element, in(name), "a list of texts");
      if (text != null) {
        errors.attempt(
            element.at(),
            in(name),
            () -> {
              reader.accept(text);
              return text;
            });
      }
    }
  }

  /** A group in this group; null if there is none. */
  @Nullable Section section(String name) {
    YamlNode node = node(name);
    return node == null ? null : section(node, in(name));
  }

  /** The groups in a list; what is not a group is left out. */
  List<Section> sections(String name) {
    List<Section> sections = new ArrayList<>();
    int index = 0;
    for (YamlNode element : elements(name, "a list of groups, each begun by a dash")) {
      Section section = section(element, in(name) + "[" + index++ + "]");
      if (section != null) {
        sections.add(section);
      }
    }
    return sections;
  }

  private List<YamlNode> elements(String name, String wanted) {
    YamlNode node = node(name);
    if (node instanceof YamlNode.Sequence sequence) {
      return sequence.nodes();
    }
    if (node != null) {
      refuse(node, in(name), wanted);
    }
    return List.of();
  }

  private @Nullable Section section(YamlNode node, String where) {
    if (node instanceof YamlNode.Mapping inner) {
      return new Section(where, inner, variables, errors);
    }
    refuse(node, where, "a group of settings");
    return null;
  }

  private @Nullable String text(YamlNode node, String where, String wanted) {
    if (!(node instanceof YamlNode.Text text) || text.value().isBlank()) {
      refuse(node, where, wanted);
      return null;
    }
    return errors.attempt(node.at(), where, () -> variables.in(text.value().strip()));
  }

  private void refuse(YamlNode node, String where, String wanted) {
    if (!(node instanceof YamlNode.Unusable)) {
      errors.add(node.at(), "%s: is %s; write %s".formatted(where, node.kind(), wanted));
    }
  }

  private @Nullable YamlNode node(String name) {
    Map<String, YamlNode.Entry> entries = mapping.entries();
    YamlNode.Entry entry = entries.get(name);
    return entry == null ? null : entry.node();
  }
}
