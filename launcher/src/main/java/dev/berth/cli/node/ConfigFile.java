package dev.berth.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.registration.RegistrationException;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.RuntimeYaml;
import dev.berth.api.NearestWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;

/// The configuration file of a node: fields of a KubeletConfiguration, each of which stands for a
/// flag, and runtime services. A flag takes precedence over its field.
final class ConfigFile {
  private static final String KIND = "KubeletConfiguration";
  private static final String VERSION = "kubelet.config.k8s.io/v1beta1";

  static final ConfigFile NONE = new ConfigFile(Map.of(), List.of());

  private final Map<String, String> values;
  private final List<RuntimeDeclaration> runtimes;

  private ConfigFile(Map<String, String> values, List<RuntimeDeclaration> runtimes) {
    this.values = Map.copyOf(values);
    this.runtimes = List.copyOf(runtimes);
  }

  /// @param file empty for none
  /// @param command whose options have fields; a field of another command is a mistake, because it
  ///   would have no effect
  static ConfigFile read(String file, CommandSpec command, List<String> mistakes) {
    if (file.isEmpty()) {
      return NONE;
    }
    try {
      String text = Files.readString(Path.of(file));
      JsonNode root = RuntimeYaml.readDocument(file, text);
      Map<String, ConfigField> honored = ConfigField.of(command);
      Map<String, String> values = new HashMap<>();
      List<String> wrong = new ArrayList<>();
      for (Map.Entry<String, JsonNode> entry : root.properties()) {
        field(entry.getKey(), entry.getValue(), honored, values, wrong);
      }
      wrong.forEach(mistake -> mistakes.add("--config=%s: %s".formatted(file, mistake)));
      boolean hasServices = root.has(RuntimeYaml.KEY);
      return new ConfigFile(
          values, hasServices ? RuntimeYaml.readConfiguration(file, text) : List.of());
    } catch (RegistrationException e) {
      e.problems().forEach(problem -> mistakes.add(problem.toString()));
    } catch (IOException e) {
      mistakes.add("--config=%s: cannot be read: %s".formatted(file, e.getMessage()));
    }
    return NONE;
  }

  private static void field(
      String name,
      JsonNode value,
      Map<String, ConfigField> honored,
      Map<String, String> values,
      List<String> mistakes) {
    switch (name) {
      case "apiVersion" -> expect(name, value, VERSION, mistakes);
      case "kind" -> expect(name, value, KIND, mistakes);
      case RuntimeYaml.KEY -> {
        // Read as a whole.
      }
      default -> {
        ConfigField field = honored.get(name);
        if (field == null) {
          mistakes.add(refusal(name, honored.keySet()));
        } else if (!value.isNull()) {
          field
              .shape()
              .text(value)
              .ifPresentOrElse(
                  text -> values.put(field.flag(), text),
                  () -> mistakes.add("`%s` must be %s".formatted(name, field.shape().words())));
        }
      }
    }
  }

  private static void expect(String name, JsonNode value, String wanted, List<String> mistakes) {
    if (!value.asText().equals(wanted)) {
      mistakes.add("`%s` must be %s, not %s".formatted(name, wanted, value.asText()));
    }
  }

  private static String refusal(String name, Set<String> honored) {
    ConfigField ofAgents = ConfigField.ofAgents().get(name);
    return ofAgents == null
        ? unknown(name, honored)
        : "field `%s` stands for %s of `berth agent`; this command has none, remove the field"
            .formatted(name, ofAgents.flag());
  }

  private static String unknown(String name, Set<String> honored) {
    Set<String> known = new TreeSet<>(honored);
    known.add(RuntimeYaml.KEY);
    return NearestWord.to(name, known)
        .map(near -> "unknown field `%s`; did you mean `%s`?".formatted(name, near))
        .orElseGet(
            () ->
                "field `%s` is unknown or has no effect here; the fields are: %s"
                    .formatted(name, String.join(", ", known)));
  }

  /// The value of a flag: from the command line, else from the file, else the default.
  String value(String flag, String given, String usual) {
    return !given.isEmpty() ? given : values.getOrDefault(flag, usual);
  }

  List<RuntimeDeclaration> runtimes() {
    return runtimes;
  }
}
