package dev.berth.sim.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// docs/simulator.md tells the truth: its examples are read, and there is one for everything.
final class DocumentedExamplesTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

  @ParameterizedTest
  @MethodSource("examples")
  void anExampleIsUnderstood(String example) {
    ConfigErrors mistakes = new ConfigErrors();
    JsonNode read = ConfigYaml.read(example, mistakes);
    if (read instanceof ObjectNode object && !object.has("services") && !object.has("endpoint")) {
      object.put("endpoint", "unix:///tmp/sim.sock");
    }

    assertThat(new ConfigReader(mistakes).read(read)).isNotEmpty();
    assertThat(mistakes.list()).isEmpty();
  }

  /// An unknown field is answered with those that are known.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{%s}",
        "handlers: [{name: a, %s}]",
        "handlers: [{name: a, features: {%s}}]",
        "images: [{reference: a, %s}]",
        "images: [{reference: a, platforms: [{platform: linux/amd64, %s}]}]",
        "registries: [{host: example.com, %s}]",
        "pulls: {%s}",
        "faults: [{hang: true, %s}]",
        "exits: [{%s}]"
      })
  void everyFieldHasAnExample(String place) {
    ConfigErrors mistakes = new ConfigErrors();
    new ConfigReader(mistakes).read(ConfigYaml.read(place.formatted("zzz: 1"), mistakes));
    String known =
        mistakes.list().stream()
            .filter(mistake -> mistake.contains("zzz: is not known here"))
            .findFirst()
            .orElseThrow();
    Set<String> documented = new TreeSet<>();
    examples().forEach(example -> collect(ConfigYaml.read(example, mistakes), documented));

    assertThat(documented)
        .containsAll(List.of(known.substring(known.indexOf("known fields: ") + 14).split(", ")));
  }

  @Test
  void thereAreExamples() {
    assertThat(examples()).hasSizeGreaterThan(5);
  }

  private static void collect(JsonNode node, Set<String> names) {
    node.fieldNames().forEachRemaining(names::add);
    node.forEach(child -> collect(child, names));
  }

  private static List<String> examples() {
    List<String> examples = new ArrayList<>();
    Matcher matcher = EXAMPLE.matcher(document());
    while (matcher.find()) {
      examples.add(matcher.group(1));
    }
    return examples;
  }

  private static String document() {
    try {
      return Files.readString(Path.of("..", "docs", "simulator.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
