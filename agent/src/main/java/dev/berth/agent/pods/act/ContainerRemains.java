package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes away what an instance of a container that was removed left on the node: a container that
/// keeps crashing would fill the disk.
public final class ContainerRemains {
  private static final Logger log = LoggerFactory.getLogger(ContainerRemains.class);

  private final NodeSettings node;

  public ContainerRemains(NodeSettings node) {
    this.node = node;
  }

  void remove(Pod pod, ObservedContainer instance) {
    String uid = pod.getMetadata().getUid();
    try {
      for (Path file : logs(pod, instance)) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(
          ContainerFiles.messageFile(node, uid, instance.name(), instance.attempt()));
    } catch (IOException e) {
      // What is left goes with the pod.
      log.warn(
          "files not removed pod={} container={} attempt={} reason={}",
          pod.getMetadata().getName(),
          instance.name(),
          instance.attempt(),
          e.toString());
    }
  }

  /// The log, and what was put aside of it.
  private List<Path> logs(Pod pod, ObservedContainer instance) throws IOException {
    Path newest =
        LogPaths.ofPod(node, pod)
            .resolve(LogPaths.ofContainer(instance.name(), instance.attempt()));
    Path folder = newest.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return List.of();
    }
    String name = newest.getFileName().toString();
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.equals(newest) || isPart(file, name)).toList();
    }
  }

  private static boolean isPart(Path file, String log) {
    return file.getFileName().toString().startsWith(log + ".");
  }
}
