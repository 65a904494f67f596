package dev.berth.agent.runtimes;

import dev.berth.cri.v1.PodSandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Recognizes the sandboxes of this node's agent among those that others created at the same
/// runtime service: a kubelet, the agent of another node, or a node of the same name in another
/// cluster.
///
/// @param node its name; empty where every sandbox counts
/// @param cluster a mark that no other cluster has; empty where the name alone counts
/// @param pods the directory with the agent's files of each pod
public record OwnSandboxes(String node, String cluster, Path pods) {
  /// The label with the name of the node whose agent made a sandbox.
  public static final String NODE = "berth.dev/node";

  /// The label with the mark of its cluster.
  public static final String CLUSTER = "berth.dev/cluster";

  private static final String POD_UID = "io.kubernetes.pod.uid";

  /// Labels are untrusted text: the UID becomes part of a path.
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*");

  public static final OwnSandboxes ALL = new OwnSandboxes("", "", Path.of(""));

  /// The labels of this agent's sandboxes.
  public Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(NODE, node);
    if (!cluster.isEmpty()) {
      labels.put(CLUSTER, cluster);
    }
    return labels;
  }

  /// Whether a sandbox is ours. Earlier versions set no cluster label: their sandboxes are
  /// recognized by the pod's directory, without which a sandbox may belong to another cluster's
  /// node of the same name.
  ///
  /// @param labels those of a sandbox
  public boolean has(Map<String, String> labels) {
    return node.isEmpty()
        || (node.equals(labels.get(NODE))
            && (cluster.isEmpty()
                || (labels.containsKey(CLUSTER)
                    ? cluster.equals(labels.get(CLUSTER))
                    : hasDirectory(labels.getOrDefault(POD_UID, "")))));
  }

  /// Whether a kubelet created the sandbox: it has the pod UID label and no label of Berth.
  static boolean isOfKubelet(Map<String, String> labels) {
    return labels.containsKey(POD_UID) && !labels.containsKey(NODE);
  }

  private boolean hasDirectory(String podUid) {
    return SAFE.matcher(podUid).matches() && Files.isDirectory(pods.resolve(podUid));
  }

  public List<PodSandbox> of(List<PodSandbox> sandboxes) {
    return sandboxes.stream().filter(sandbox -> has(sandbox.getLabelsMap())).toList();
  }
}
