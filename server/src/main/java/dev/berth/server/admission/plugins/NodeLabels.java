package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Decides which labels a node may set on itself (KEP-585 "Labeling Nodes", KEP-1301).
///
/// A node that is taken over by an attacker must not attract pods by labels that administrators use
/// for isolation; `node-restriction.kubernetes.io` is reserved for such labels.
public final class NodeLabels {
  private static final Set<String> OWN =
      Set.of(
          "kubernetes.io/hostname",
          "kubernetes.io/os",
          "kubernetes.io/arch",
          "node.kubernetes.io/instance-type",
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region",
          "beta.kubernetes.io/os",
          "beta.kubernetes.io/arch",
          "beta.kubernetes.io/instance-type",
          "failure-domain.beta.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region",
          "failure-domain.kubernetes.io/zone",
          "failure-domain.kubernetes.io/region");

  private NodeLabels() {}

  /// The keys that were added, removed or changed.
  static Set<String> changed(ObjectNode object, @Nullable ObjectNode old) {
    JsonNode now = object.at("/metadata/labels");
    JsonNode before = old == null ? MissingNode.getInstance() : old.at("/metadata/labels");
    Set<String> changed = new TreeSet<>();
    for (Map.Entry<String, JsonNode> label : now.properties()) {
      if (!before.path(label.getKey()).equals(label.getValue())) {
        changed.add(label.getKey());
      }
    }
    for (Map.Entry<String, JsonNode> label : before.properties()) {
      if (!now.has(label.getKey())) {
        changed.add(label.getKey());
      }
    }
    return changed;
  }

  public static List<String> forbidden(Collection<String> keys) {
    return keys.stream().filter(key -> !isAllowed(key)).sorted().toList();
  }

  /// Nodes may not set Kubernetes' own labels, which others trust, except those that describe the
  /// machine.
  private static boolean isAllowed(String key) {
    int slash = key.indexOf('/');
    String domain = slash < 0 ? "" : key.substring(0, slash);
    if (isIn(domain, "node-restriction.kubernetes.io")) {
      return false;
    }
    return OWN.contains(key)
        || isIn(domain, "kubelet.kubernetes.io")
        || isIn(domain, "node.kubernetes.io")
        || !(isIn(domain, "kubernetes.io") || isIn(domain, "k8s.io"));
  }

  private static boolean isIn(String domain, String parent) {
    return domain.equals(parent) || domain.endsWith("." + parent);
  }
}
