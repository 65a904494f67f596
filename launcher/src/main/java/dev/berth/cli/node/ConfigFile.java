package dev.berth.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.runtimes.registration.RegistrationException;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.RuntimeYaml;
import dev.berth.api.NearestWord;
import dev.berth.launch.join.ClientAuthority;
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

/// The configuration file of a node: fields of a KubeletConfiguration and runtime services. A field
/// stands for a flag, which takes precedence, or must have a value that describes what the agent
/// does anyway ([FixedFields]).
final class ConfigFile {
  private static final String KIND = "KubeletConfiguration";
  private static final String VERSION = "kubelet.config.k8s.io/v1beta1";

  static final ConfigFile NONE = new ConfigFile("", Map.of(), List.of());

  private final String file;
  private final Map<String, String> values;
  private final List<RuntimeDeclaration> runtimes;

  private ConfigFile(String file, Map<String, String> values, List<RuntimeDeclaration> runtimes) {
    this.file = file;
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
      FieldReading reading =
          new FieldReading(ConfigField.of(command), new HashMap<>(), new ArrayList<>());
      root.properties().forEach(entry -> reading.topField(entry.getKey(), entry.getValue()));
      reading.mistakes().forEach(mistake -> mistakes.add(inFile(file, mistake)));
      boolean hasServices = root.has(RuntimeYaml.KEY);
      return new ConfigFile(
          file,
          reading.values(),
          hasServices ? RuntimeYaml.readConfiguration(file, text) : List.of());
    } catch (RegistrationException e) {
      e.problems().forEach(problem -> mistakes.add(problem.toString()));
    } catch (IOException e) {
      mistakes.add("--config=%s: cannot be read: %s".formatted(file, e.getMessage()));
    }
    return NONE;
  }

  private static String inFile(String file, String mistake) {
    return "--config=%s: %s".formatted(file, mistake);
  }

  /// One pass over the fields.
  ///
  /// @param honored fields that stand for flags of the command
  /// @param values by flag
  private record FieldReading(
      Map<String, ConfigField> honored, Map<String, String> values, List<String> mistakes) {
    void topField(String name, JsonNode value) {
      switch (name) {
        case "apiVersion" -> expect(name, value, VERSION);
        case "kind" -> expect(name, value, KIND);
        case RuntimeYaml.KEY -> {
          // Read as a whole.
        }
        default -> field(name, value);
      }
    }

    private void expect(String name, JsonNode value, String wanted) {
      if (!value.asText().equals(wanted)) {
        mistakes.add("`%s` must be %s, not %s".formatted(name, wanted, value.asText()));
      }
    }

    /// @param path names from the root, separated by dots
    private void field(String path, JsonNode value) {
      ConfigField field = honored.get(path);
      if (field != null) {
        honor(path, field, value);
      } else if (path.equals(ClientAuthority.FIELD)) {
        values.put(path, value.asText());
      } else if (FixedFields.paths().contains(path)) {
        FixedFields.mistake(path, value).ifPresent(mistakes::add);
      } else if (!isParent(path)) {
        mistakes.add(refusal(path));
      } else if (value.isObject()) {
        value.properties().forEach(one -> field(path + "." + one.getKey(), one.getValue()));
      } else if (!FixedFields.isZero(value)) {
        mistakes.add("`%s` must be a map, not %s".formatted(path, value.asText()));
      }
    }

    private void honor(String path, ConfigField field, JsonNode value) {
      if (value.isNull() || (field.shape().zeroIsDefault() && FixedFields.isZero(value))) {
        return;
      }
      field
          .shape()
          .text(value)
          .ifPresentOrElse(
              text -> values.put(field.flag(), text),
              () -> mistakes.add("`%s` must be %s".formatted(path, field.shape().words())));
    }

    private static boolean isParent(String path) {
      String start = path + ".";
      return ClientAuthority.FIELD.startsWith(start)
          || FixedFields.paths().stream().anyMatch(other -> other.startsWith(start));
    }

    private String refusal(String path) {
      ConfigField ofAgents = ConfigField.ofAgents().get(path);
      return ofAgents == null
          ? unknown(path)
          : "field `%s` stands for %s of `berth agent`; this command has none, remove the field"
              .formatted(path, ofAgents.flag());
    }

    private String unknown(String path) {
      Set<String> known = new TreeSet<>(honored.keySet());
      known.add(RuntimeYaml.KEY);
      Set<String> accepted = new TreeSet<>(known);
      accepted.addAll(FixedFields.paths());
      return NearestWord.to(path, accepted)
          .map(near -> "unknown field `%s`; did you mean `%s`?".formatted(path, near))
          .orElseGet(
              () ->
                  "field `%s` is unknown or has no effect here; the fields are: %s"
                      .formatted(path, String.join(", ", known)));
    }
  }

  /// The value of a flag: from the command line, else from the file, else the default.
  String value(String flag, String given, String usual) {
    return !given.isEmpty() ? given : values.getOrDefault(flag, usual);
  }

  /// The value of a field that stands for no flag; empty where there is none.
  String field(String path) {
    return values.getOrDefault(path, "");
  }

  /// A mistake in this file.
  String mistake(String text) {
    return inFile(file, text);
  }

  List<RuntimeDeclaration> runtimes() {
    return runtimes;
  }
}
