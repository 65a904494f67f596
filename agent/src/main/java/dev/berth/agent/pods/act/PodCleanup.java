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

/// Takes away what is left on the node of a pod of which nothing runs any more.
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

  /// What cannot be removed now is removed with the rest.
  public void removeVolumes(Pod pod) {
    try {
      volumes.remove(pod);
    } catch (RuntimeException e) {
      log.warn(
          "volumes not removed yet pod={} reason={}", pod.getMetadata().getName(), e.getMessage());
    }
  }

  /// The directory goes last: as long as it is there, the next agent knows that something may be
  /// left.
  ///
  /// @param kill what is still in its control group, which no runtime service has any more
  /// @throws IOException when not everything could be removed yet
  public void remove(Pod pod, boolean kill) throws IOException {
    removeGroup(pod, kill);
    volumes.remove(pod);
    delete(logs(pod));
    delete(node.podDirectory(pod.getMetadata().getUid()));
  }

  /// A runtime that was killed may have forgotten what it was about to start.
  private void removeGroup(Pod pod, boolean kill) throws IOException {
    String uid = pod.getMetadata().getUid();
    try {
      cgroups.remove(uid);
    } catch (IOException e) {
      Set<Long> killed = kill ? cgroups.kill(uid) : Set.of();
      if (!killed.isEmpty()) {
        log.warn(
            "processes killed that no runtime service has any more pod={} processes={}",
            pod.getMetadata().getName(),
            killed);
      }
      throw e;
    }
  }

  /// Of a pod that is long gone; in vain while something of it still runs.
  public void removeGroup(String podUid) {
    try {
      cgroups.remove(podUid);
    } catch (IOException e) {
      log.warn("control group not removed pod={} reason={}", podUid, e.getMessage());
    }
  }

  /// Of a pod that only left a directory behind, not even the name is known.
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

  /// Links are removed, not followed; what is still mounted is not touched at all.
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
