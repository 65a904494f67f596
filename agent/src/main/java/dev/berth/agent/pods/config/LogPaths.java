package dev.berth.agent.pods.config;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;

/// Where containers' logs are, as the kubelet has them.
public final class LogPaths {
  private LogPaths() {}

  /// `<logs>/<namespace>_<name>_<uid>`.
  public static Path ofPod(NodeSettings node, Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    return node.logs()
        .resolve(
            "%s_%s_%s".formatted(metadata.getNamespace(), metadata.getName(), metadata.getUid()));
  }

  /// Below the pod's: `<container>/<attempt>.log`.
  public static String ofContainer(String container, int attempt) {
    return "%s/%d.log".formatted(container, attempt);
  }
}
