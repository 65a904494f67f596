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

/// The agent's configuration: the fields of a KubeletConfiguration that are honoured, each of which
/// stands for a flag, and runtime services. A flag that is given counts more.
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
  /// @param honored the fields that the command honors; another one would do nothing
  static ConfigFile read(String file, Set<String> honored, List<String> mistakes) {
    if (file.isEmpty()) {
      return NONE;
    }
    try {
      String text = Files.readString(Path.of(file));
      JsonNode root = RuntimeYaml.readDocument(file, text);
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
      Set<String> honored,
      Map<String, String> values,
      List<String> mistakes) {
    switch (name) {
      case "apiVersion" -> expect(name, value, VERSION, mistakes);
      case "kind" -> expect(name, value, KIND, mistakes);
      case RuntimeYaml.KEY -> {
        // Read as a whole.
      }
      default -> {
        ConfigField field = ConfigField.ALL.get(name);
        if (field == null) {
          mistakes.add(unknown(name, honored));
        } else if (!honored.contains(name)) {
          mistakes.add(
              "field `%s` stands for %s of `berth agent`; this command has none, remove the field"
                  .formatted(name, field.flag()));
        } else if (!value.isNull()) {
          field
              .text(value)
              .ifPresentOrElse(
                  text -> values.put(field.flag(), text),
                  () -> mistakes.add("`%s` must be %s".formatted(name, field.shape())));
        }
      }
    }
  }

  private static void expect(String name, JsonNode value, String wanted, List<String> mistakes) {
    if (!value.asText().equals(wanted)) {
      mistakes.add("`%s` must be %s, not %s".formatted(name, wanted, value.asText()));
    }
  }

  private static String unknown(String name, Set<String> honored) {
    Set<String> known = new TreeSet<>(honored);
    known.add(RuntimeYaml.KEY);
    return NearestWord.to(name, known)
        .map(near -> "unknown field `%s`; did you mean `%s`?".formatted(name, near))
        .orElseGet(
            () ->
                "field `%s` is unknown or not honoured; these are: %s"
                    .formatted(name, String.join(", ", known)));
  }

  /// The value of a flag: the one given, else that of the file, else the usual one.
  String value(String flag, String given, String usual) {
    return !given.isEmpty() ? given : values.getOrDefault(flag, usual);
  }

  List<RuntimeDeclaration> runtimes() {
    return runtimes;
  }
}
