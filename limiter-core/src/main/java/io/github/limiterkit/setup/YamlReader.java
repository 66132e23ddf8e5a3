package io.github.limiterkit.setup;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the part of YAML that a configuration needs: groups, lists and text.
 *
 * <p>No anchors and no tags: with them a few lines can stand for more than fits into memory, and
 * what is in force can no longer be read where it is written. Nothing that a file holds makes it
 * throw, run long or take much memory.
 */
final class YamlReader {

  /** A thousand policies fit in. */
  static final int MOST_BYTES = 1 << 20;

  /** The deepest setting there is lies five levels down. */
  private static final int DEEPEST = 16;

  private static final int LONGEST_TEXT = 1_000;

  /** Ends the reading: the time that the parser takes grows with the square of the depth. */
  private static final class TooDeep extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooDeep() {
      super("too deep", null, false, false);
    }
  }

  private final Errors errors;
  private final String text;
  private Iterator<Event> events = Collections.emptyIterator();
  private @Nullable Event ahead;

  private YamlReader(Errors errors, String text) {
    this.errors = errors;
    this.text = text;
  }

  /**
   * Reads a file.
   *
   * @return what it holds, null if that cannot be made out; why is noted
   */
  static @Nullable YamlNode read(byte[] bytes, Errors errors) {
    if (bytes.length > MOST_BYTES) {
      errors.add("is longer than %d bytes, so it is no configuration file".formatted(MOST_BYTES));
      return null;
    }
    String text = decoded(bytes, errors);
    return text == null ? null : new YamlReader(errors, text).read();
  }

  private static @Nullable String decoded(byte[] bytes, Errors errors) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CharBuffer text = CharBuffer.allocate(bytes.length + 1);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
    text.flip();
    if (result.isError()) {
      errors.add(position(text, text.length()), "the file is not UTF-8 from here on; save it so");
      return null;
    }
    boolean marked = text.length() > 0 && text.charAt(0) == '\uFEFF';
    return (marked ? text.subSequence(1, text.length()) : text).toString();
  }

  private @Nullable YamlNode read() {
    // In one piece: the reader fails on a character of two halves that two pieces of text share.
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(MOST_BYTES)
            .setBufferSize(text.length() + 2)
            .build();
    try {
      // Not by its Parse, which is in a package that it does not export to modules.
      events = new ParserImpl(settings, new StreamReader(settings, text));
      next(); // the stream starts
      if (next().getEventId() != Event.ID.DocumentStart) {
        errors.add("the file is empty; it needs at least policies");
        return null;
      }
      YamlNode root = node(0);
      next(); // the document ends
      Event after = next();
      if (after.getEventId() == Event.ID.DocumentStart) {
        errors.add(at(after.getStartMark()), "a second document begins here; there may be one");
      }
      return root;
    } catch (MarkedYamlEngineException wrong) {
      errors.add(at(wrong.getProblemMark()), Syntax.advice(wrong));
    } catch (ReaderException wrong) {
      errors.add(
          position(text, text.offsetByCodePoints(0, wrong.getPosition())),
          "a control character (U+%04X) stands here; remove it".formatted(wrong.getCodePoint()));
    } catch (TooDeep noted) {
      return null;
    } catch (YamlEngineException wrong) {
      errors.add("the file is no YAML 1.2: " + wrong.getMessage());
    }
    return null;
  }

  private YamlNode node(int depth) {
    Event event = next();
    Position at = at(event.getStartMark());
    if (event instanceof AliasEvent alias) {
      errors.add(
          at,
          "\"*%s\" refers to another place of the file, which is not allowed; write the value"
                  .formatted(alias.getAlias())
              + " itself, or put a text that begins with * into quotes");
      return new YamlNode.Unusable(at);
    }
    if (event instanceof NodeEvent named && named.getAnchor().isPresent()) {
      errors.add(
          at,
          "\"&%s\" gives this a name, which is not allowed; remove it"
              .formatted(named.getAnchor().get()));
    }
    if (event instanceof ScalarEvent scalar) {
      return scalar(scalar, at);
    }
    CollectionStartEvent start = (CollectionStartEvent) event;
    start.getTag().ifPresent(tag -> refuseTag(tag, at));
    if (depth == DEEPEST) {
      errors.add(at, "this lies more than %d levels deep".formatted(DEEPEST));
      throw new TooDeep();
    }
    return event.getEventId() == Event.ID.SequenceStart ? sequence(at, depth) : mapping(at, depth);
  }

  private YamlNode scalar(ScalarEvent scalar, Position at) {
    if (scalar.getTag().isPresent()) {
      refuseTag(scalar.getTag().get(), at);
      return new YamlNode.Unusable(at);
    }
    String value = scalar.getValue();
    if (value.length() > LONGEST_TEXT) {
      errors.add(
          at,
          "a text of %d characters begins here; the longest allowed has %d"
              .formatted(value.length(), LONGEST_TEXT));
      return new YamlNode.Unusable(at);
    }
    boolean nothing = scalar.isPlain() && (value.equals("~") || value.equals("null"));
    return new YamlNode.Text(at, nothing ? "" : value);
  }

  private void refuseTag(String tag, Position at) {
    errors.add(at, "the tag \"%s\" is not allowed; remove it".formatted(tag));
  }

  private YamlNode sequence(Position at, int depth) {
    List<YamlNode> nodes = new ArrayList<>();
    while (more(Event.ID.SequenceEnd)) {
      nodes.add(node(depth + 1));
    }
    return new YamlNode.Sequence(at, nodes);
  }

  private YamlNode mapping(Position at, int depth) {
    Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
    while (more(Event.ID.MappingEnd)) {
      YamlNode name = node(depth + 1);
      YamlNode value = node(depth + 1);
      if (name instanceof YamlNode.Text text) {
        YamlNode.Entry first = entries.get(text.value());
        if (first == null) {
          entries.put(text.value(), new YamlNode.Entry(name.at(), value));
        } else {
          errors.add(
              name.at(),
              "\"%s\" stands here a second time; the first is in line %d"
                  .formatted(text.value(), first.at().line()));
        }
      } else if (!(name instanceof YamlNode.Unusable)) {
        errors.add(name.at(), name.kind() + " cannot be the name of a setting");
      }
    }
    return new YamlNode.Mapping(at, entries);
  }

  private Event next() {
    Event next = peek();
    ahead = null;
    return next;
  }

  private Event peek() {
    Event next = ahead == null ? events.next() : ahead;
    ahead = next;
    return next;
  }

  /** Whether the collection goes on; its end is taken away. */
  private boolean more(Event.ID end) {
    boolean ended = peek().getEventId() == end;
    if (ended) {
      next();
    }
    return !ended;
  }

  private static Position at(Optional<Mark> mark) {
    return mark.map(at -> new Position(at.getLine() + 1, at.getColumn() + 1))
        .orElse(new Position(1, 1));
  }

  private static Position position(CharSequence text, int index) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < index; i++) {
      boolean ends = text.charAt(i) == '\n';
      line += ends ? 1 : 0;
      column = ends ? 1 : column + 1;
    }
    return new Position(line, column);
  }
}
