package io.github.limiterkit.setup;

import java.util.List;
import java.util.Map;

/** A part of a file as somebody wrote it: what, and where. */
sealed interface YamlNode {

  /** Where it begins. */
  Position at();

  /** What it is, for people. */
  String kind();

  /** A value. */
  record Text(Position at, String value) implements YamlNode {
    @Override
    public String kind() {
      return value.isEmpty() ? "empty" : "the text \"" + value + "\"";
    }
  }

  /** Several nodes, as in {@code [a, b]}. */
  record Sequence(Position at, List<YamlNode> nodes) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Nodes with names, as in {@code {a: b}}. */
  record Mapping(Position at, Map<String, Entry> entries) implements YamlNode {
    @Override
    public String kind() {
      return "a group of settings";
    }
  }

  /** One name of a mapping, where it is written, and what it stands for. */
  record Entry(Position at, YamlNode node) {}

  /** Something of which the reader has been told already that it cannot be used. */
  record Unusable(Position at) implements YamlNode {
    @Override
    public String kind() {
      return "unusable";
    }
  }
}
