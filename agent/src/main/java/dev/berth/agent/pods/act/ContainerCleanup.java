package dev.berth.agent.pods.act;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes the files of a removed container instance: a container that keeps crashing would fill
/// the disk.
public final class ContainerCleanup {
  private static final Logger log = LoggerFactory.getLogger(ContainerCleanup.class);

  private final NodeSettings node;

  public ContainerCleanup(NodeSettings node) {
    this.node = node;
  }

  void remove(Pod pod, ObservedContainer instance) {
    String uid = pod.getMetadata().getUid();
    Path newest =
        LogPaths.ofPod(node, pod)
            .resolve(LogPaths.ofContainer(instance.name(), instance.attempt()));
    try {
      removeLogs(newest);
      removeMessage(ContainerFiles.messageFile(node, uid, instance.name(), instance.attempt()));
    } catch (IOException e) {
      // The files are removed with the pod at the latest.
      log.warn(
          "files not removed pod={} container={} attempt={} reason={}",
          pod.getMetadata().getName(),
          instance.name(),
          instance.attempt(),
          e.toString());
    }
  }

  /// Removes the log and its rotated parts.
  private static void removeLogs(Path newest) throws IOException {
    String log = String.valueOf(newest.getFileName());
    try (DirectoryHandle directory = DirectoryHandle.ofLog(newest)) {
      for (String name : directory.names()) {
        if (name.equals(log) || name.startsWith(log + ".")) {
          directory.remove(name);
        }
      }
    } catch (NoSuchFileException _) {
      // There was none.
    }
  }

  private static void removeMessage(Path message) throws IOException {
    try (DirectoryHandle directory = DirectoryHandle.openParent(message, 2)) {
      directory.remove(String.valueOf(message.getFileName()));
    } catch (NoSuchFileException _) {
      // There was none.
    }
  }
}
