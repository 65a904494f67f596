package dev.berth.agent.runtimes;

import dev.berth.cri.v1.PodSandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Tells the sandboxes of this node's agent from those that others made on the same runtime
/// service: a kubelet, the agent of another node, or of a node that has the same name in another
/// cluster.
///
/// @param node its name; empty where every sandbox counts
/// @param cluster a mark that no other cluster has; empty where the name alone counts
/// @param pods the directory of what the agent keeps for each pod
public record OwnSandboxes(String node, String cluster, Path pods) {
  /// The label with the name of the node whose agent made a sandbox.
  public static final String NODE = "berth.dev/node";

  /// The label with the mark of its cluster.
  public static final String CLUSTER = "berth.dev/cluster";

  private static final String POD_UID = "io.kubernetes.pod.uid";

  /// A label is whatever somebody wrote.
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*");

  public static final OwnSandboxes ALL = new OwnSandboxes("", "", Path.of(""));

  /// What is to be on a sandbox for it to be found again.
  public Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(NODE, node);
    if (!cluster.isEmpty()) {
      labels.put(CLUSTER, cluster);
    }
    return labels;
  }

  /// Earlier agents did not mark the cluster. What they made is known by the directory that they
  /// kept for the pod: without one, it may be of another cluster's node of the same name.
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

  /// A kubelet labels its sandboxes with the pod's UID, and no agent of Berth made this one.
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
