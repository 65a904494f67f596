package dev.berth.agent.pods.config;

import dev.berth.agent.files.DirectoryHandle;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Paths of container logs, as the kubelet has them.
public final class LogPaths {
  private LogPaths() {}

  /// `<logs>/<namespace>_<name>_<uid>`.
  public static Path ofPod(NodeSettings node, Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    return node.logs()
        .resolve(
            "%s_%s_%s".formatted(metadata.getNamespace(), metadata.getName(), metadata.getUid()));
  }

  /// Creates the log directory of a pod, or one below it: runtimes create log files, not
  /// directories.
  ///
  /// @param below none, or a container
  public static void make(NodeSettings node, Pod pod, String... below) throws IOException {
    String[] names =
        Stream.concat(Stream.of(String.valueOf(ofPod(node, pod).getFileName())), Stream.of(below))
            .toArray(String[]::new);
    DirectoryHandle.make(node.logs(), names).close();
  }

  /// Relative to the pod's directory: `<container>/<attempt>.log`.
  public static String ofContainer(String container, int attempt) {
    return "%s/%d.log".formatted(container, attempt);
  }
}
