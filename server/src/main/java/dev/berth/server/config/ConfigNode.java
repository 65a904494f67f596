package dev.berth.server.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.YamlTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A node of a configuration file. Each error is added to one list with its location, so that the
/// reader continues and finds all errors.
///
/// Readers of the audit policy and of the encryption configuration use it. Reading continues after
/// an error with empty values, so the result must not be used when there are errors.
public final class ConfigNode {
  private final JsonNode node;
  private final String path;
  private final List<String> mistakes;

  private ConfigNode(JsonNode node, String path, List<String> mistakes) {
    this.node = node;
    this.path = path;
    this.mistakes = mistakes;
  }

  /// Reads the root of a YAML or JSON file; null when the file does not contain an object of the
  /// wanted type.
  public static @Nullable ConfigNode read(
      Path file, String apiVersion, String kind, List<String> mistakes) {
    JsonTrees.Parsed parsed;
    try {
      parsed = YamlTrees.parse(Files.readAllBytes(file));
    } catch (IOException e) {
      mistakes.add("it cannot be read (%s)".formatted(e));
      return null;
    } catch (JsonSyntaxException e) {
      mistakes.add("it is neither YAML nor JSON: " + e.getMessage());
      return null;
    }
    JsonNode tree = parsed.tree();
    String foundVersion = tree.path("apiVersion").asText();
    String foundKind = tree.path("kind").asText();
    if (!foundVersion.equals(apiVersion) || !foundKind.equals(kind)) {
      mistakes.add(
          "it must begin with `apiVersion: %s` and `kind: %s` (found: \"%s\" and \"%s\")"
              .formatted(apiVersion, kind, foundVersion, foundKind));
      return null;
    }
    mistakes.addAll(parsed.duplicates());
    return new ConfigNode(tree, "", mistakes);
  }

  /// Rejects every other field.
  public ConfigNode allow(String... fields) {
    Set<String> allowed = new TreeSet<>(List.of(fields));
    if (!node.isObject()) {
      mistake("must be an object with " + String.join(", ", allowed));
    }
    for (var field : node.properties()) {
      if (!allowed.contains(field.getKey())) {
        add(
            child(field.getKey()),
            "unknown field (known: %s)".formatted(String.join(", ", allowed)));
      }
    }
    return this;
  }

  public boolean has(String field) {
    return node.hasNonNull(field);
  }

  public Optional<ConfigNode> field(String name) {
    return has(name) ? Optional.of(at(node.path(name), child(name))) : Optional.empty();
  }

  /// The elements of a list, none when it is missing.
  public List<ConfigNode> list(String name) {
    JsonNode list = node.path(name);
    if (!list.isArray() && has(name)) {
      add(child(name), "must be a list");
    }
    List<ConfigNode> elements = new ArrayList<>();
    for (int i = 0; i < list.size() && list.isArray(); i++) {
      elements.add(at(list.path(i), "%s[%d]".formatted(child(name), i)));
    }
    return elements;
  }

  /// The texts of a list, none when it is missing.
  public List<String> texts(String name) {
    return list(name).stream().map(ConfigNode::text).toList();
  }

  /// This node as a text; "" when it is none.
  public String text() {
    if (!node.isTextual()) {
      mistake("must be a text");
    }
    return node.asText("");
  }

  /// A field as a text; "" when it is missing.
  public String text(String name) {
    return field(name).map(ConfigNode::text).orElse("");
  }

  /// A field as a boolean; empty when it is missing.
  public Optional<Boolean> flag(String name) {
    if (has(name) && !node.path(name).isBoolean()) {
      add(child(name), "must be true or false");
    }
    return node.path(name).isBoolean()
        ? Optional.of(node.path(name).booleanValue())
        : Optional.empty();
  }

  public Set<String> fieldNames() {
    Set<String> names = new TreeSet<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /// Adds an error at this node.
  public void mistake(String what) {
    add(path, what);
  }

  /// Adds an error at a field.
  public void mistake(String field, String what) {
    add(child(field), what);
  }

  private void add(String where, String what) {
    String mistake = where.isEmpty() ? what : where + ": " + what;
    // A node may be read more than once; the error is added once.
    if (!mistakes.contains(mistake)) {
      mistakes.add(mistake);
    }
  }

  private String child(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private ConfigNode at(JsonNode other, String where) {
    return new ConfigNode(other, where, mistakes);
  }
}
