package dev.berth.agent.pods.config;

import dev.berth.agent.files.DirectoryHandle;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

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

  /// Makes the directory of a pod's logs, or one within it: runtimes make logs, not directories.
  ///
  /// @param below none, or a container
  public static void make(NodeSettings node, Pod pod, String... below) throws IOException {
    String[] names =
        Stream.concat(Stream.of(String.valueOf(ofPod(node, pod).getFileName())), Stream.of(below))
            .toArray(String[]::new);
    DirectoryHandle.make(node.logs(), names).close();
  }

  /// Below the pod's: `<container>/<attempt>.log`.
  public static String ofContainer(String container, int attempt) {
    return "%s/%d.log".formatted(container, attempt);
  }
}
