package dev.berth.server.json;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/// Finds duplicate fields in a YAML document, and keys that JSON cannot have.
///
/// It works on the nodes of the parser, before the maps are built in which duplicates are lost.
final class YamlDuplicates {
  private final DuplicatePaths paths = new DuplicatePaths();

  /// Visits an aliased node once.
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  /// A path from the root, joined lazily.
  private record Path(@Nullable Path parent, String step) {
    String text() {
      Deque<String> steps = new ArrayDeque<>();
      for (Path at = this; at != null; at = at.parent()) {
        steps.push(at.step());
      }
      return String.join("", steps);
    }

    static Path field(@Nullable Path parent, String name) {
      return new Path(parent, parent == null ? name : "." + name);
    }
  }

  private YamlDuplicates() {}

  /// Returns the paths, in the form of {@link JsonTrees.Parsed}.
  ///
  /// @throws YAMLException for a list or a map as a key: its text may be any number of times as
  ///   long as the document
  static List<String> of(@Nullable Node root) {
    YamlDuplicates duplicates = new YamlDuplicates();
    if (root != null) {
      duplicates.walk(root, null);
    }
    return duplicates.paths.all();
  }

  private void walk(Node node, @Nullable Path path) {
    if (!seen.add(node)) {
      return;
    }
    if (node instanceof MappingNode mapping) {
      walk(mapping, path);
    } else if (node instanceof SequenceNode sequence) {
      for (int i = 0; i < sequence.getValue().size(); i++) {
        walk(sequence.getValue().get(i), new Path(path, "[" + i + "]"));
      }
    }
  }

  private void walk(MappingNode mapping, @Nullable Path path) {
    Set<String> keys = new HashSet<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw new YAMLException("a key is a list or a map: write a string");
      }
      if (key.getTag().equals(Tag.MERGE)) {
        walk(tuple.getValueNode(), path);
        continue;
      }
      Path field = Path.field(path, key.getValue());
      if (!keys.add(key.getValue())) {
        paths.add(field::text);
      }
      walk(tuple.getValueNode(), field);
    }
  }
}
