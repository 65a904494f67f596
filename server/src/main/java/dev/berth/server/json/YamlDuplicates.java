package dev.berth.server.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/// Finds the fields that a YAML document gives more than once.
final class YamlDuplicates {
  private final List<String> paths = new ArrayList<>();

  /// An alias is looked at once, where it stands first.
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private YamlDuplicates() {}

  /// Their paths, as {@link Json.Parsed} tells them.
  static List<String> of(@Nullable Node root) {
    YamlDuplicates duplicates = new YamlDuplicates();
    if (root != null) {
      duplicates.walk(root, "");
    }
    return duplicates.paths;
  }

  private void walk(Node node, String path) {
    if (!seen.add(node)) {
      return;
    }
    if (node instanceof MappingNode mapping) {
      walk(mapping, path);
    } else if (node instanceof SequenceNode sequence) {
      for (int i = 0; i < sequence.getValue().size(); i++) {
        walk(sequence.getValue().get(i), path + "[" + i + "]");
      }
    }
  }

  private void walk(MappingNode mapping, String path) {
    Set<String> keys = new HashSet<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key && !key.getTag().equals(Tag.MERGE)) {
        String field = path.isEmpty() ? key.getValue() : path + "." + key.getValue();
        if (!keys.add(key.getValue())) {
          paths.add(field);
        }
        walk(tuple.getValueNode(), field);
      }
    }
  }
}
