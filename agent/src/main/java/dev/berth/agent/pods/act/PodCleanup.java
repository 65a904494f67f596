package dev.berth.agent.pods.act;

import dev.berth.agent.cgroups.PodCgroups;
import dev.berth.agent.files.MountLines;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.volumes.PodVolumes;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes everything that an ended pod left on the node.
public final class PodCleanup {
  private static final Logger log = LoggerFactory.getLogger(PodCleanup.class);

  private final NodeSettings node;
  private final PodVolumes volumes;
  private final PodCgroups cgroups;

  public PodCleanup(NodeSettings node, PodVolumes volumes, PodCgroups cgroups) {
    this.node = node;
    this.volumes = volumes;
    this.cgroups = cgroups;
  }

  /// Removes the volumes of an ended pod early. A failure is retried by [#remove].
  public void removeVolumes(Pod pod) {
    try {
      volumes.remove(pod);
    } catch (RuntimeException e) {
      log.warn(
          "volumes not removed yet pod={} reason={}", pod.getMetadata().getName(), e.getMessage());
    }
  }

  /// Removes volumes, control group, logs and directory. The directory goes last: while it exists,
  /// the next agent knows that something may be left.
  ///
  /// @param kill whether to kill processes that are still in the control group, which no runtime
  ///   service knows any more
  /// @throws IOException when something cannot be removed yet
  public void remove(Pod pod, boolean kill) throws IOException {
    removeGroup(pod, kill);
    volumes.remove(pod);
    delete(logs(pod));
    delete(node.podDirectory(pod.getMetadata().getUid()));
  }

  /// A runtime that was killed may have lost track of a process that it was starting.
  private void removeGroup(Pod pod, boolean kill) throws IOException {
    String uid = pod.getMetadata().getUid();
    try {
      cgroups.remove(uid);
    } catch (IOException e) {
      Set<Long> killed = kill ? cgroups.kill(uid) : Set.of();
      if (!killed.isEmpty()) {
        log.warn(
            "killed processes that no runtime service knows pod={} processes={}",
            pod.getMetadata().getName(),
            killed);
      }
      throw e;
    }
  }

  /// Removes the control group of a pod that ended before; fails while something in it still runs.
  public void removeGroup(String podUid) {
    try {
      cgroups.remove(podUid);
    } catch (IOException e) {
      log.warn("control group not removed pod={} reason={}", podUid, e.getMessage());
    }
  }

  /// A pod of which only a directory is left has no known name, so its log directory is found by
  /// UID.
  private Path logs(Pod pod) throws IOException {
    Path usual = LogPaths.ofPod(node, pod);
    if (Files.exists(usual) || !Files.isDirectory(node.logs())) {
      return usual;
    }
    String end = "_" + pod.getMetadata().getUid();
    try (Stream<Path> all = Files.list(node.logs())) {
      return all.filter(one -> one.getFileName().toString().endsWith(end))
          .findFirst()
          .orElse(usual);
    }
  }

  /// Links are removed, not followed. A directory with a mount in it is left alone.
  private static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try {
      if (hasMounts(directory)) {
        log.warn("directory not removed path={} reason=something is mounted in it", directory);
        return;
      }
      VolumeTrees.delete(directory);
    } catch (IOException e) {
      log.warn("directory not removed path={} reason={}", directory, e.toString());
    }
  }

  private static boolean hasMounts(Path directory) throws IOException {
    String inside = " " + directory.toRealPath() + "/";
    return MountLines.read().stream().anyMatch(line -> line.contains(inside));
  }
}
