package dev.berth.server.json;

import dev.berth.api.YamlLimits;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/// The events of a YAML document; adds the limits that the library lacks.
///
/// The check of events comes before any node is made, so a document full of aliases is refused
/// while it costs little memory.
final class YamlEvents extends ParserImpl {
  private static final Set<String> NUMBERS =
      Set.of(Tag.INT.getValue(), Tag.FLOAT.getValue(), Tag.TIMESTAMP.getValue());

  private int aliases;

  YamlEvents(String text, LoaderOptions options) {
    super(new StreamReader(text), options);
  }

  @Override
  public Event getEvent() {
    Event event = super.getEvent();
    if (event instanceof AliasEvent && ++aliases > YamlLimits.ALIASES) {
      throw new YAMLException(YamlTrees.TOO_MANY_ALIASES);
    }
    if (event instanceof ScalarEvent scalar
        && scalar.getTag() != null
        && NUMBERS.contains(scalar.getTag())
        && scalar.getValue().length() > YamlLimits.NUMBER_CHARACTERS) {
      throw new YAMLException(
          "a number has %d characters, at most %d are allowed"
              .formatted(scalar.getValue().length(), YamlLimits.NUMBER_CHARACTERS));
    }
    return event;
  }
}
