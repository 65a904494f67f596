package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.Trees;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes away what is left on the node of a pod of which nothing runs any more.
public final class PodRemains {
  private static final Logger log = LoggerFactory.getLogger(PodRemains.class);
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private final NodeSettings node;
  private final PodVolumes volumes;

  public PodRemains(NodeSettings node, PodVolumes volumes) {
    this.node = node;
    this.volumes = volumes;
  }

  public void remove(Pod pod) {
    volumes.remove(pod);
    delete(node.podFolder(pod.getMetadata().getUid()));
    delete(LogPaths.ofPod(node, pod));
  }

  /// Links are removed, not followed; what is still mounted is not touched at all.
  private static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      if (hasMounts(folder)) {
        log.warn("folder not removed path={} reason=something is mounted in it", folder);
        return;
      }
      Trees.delete(folder);
    } catch (IOException e) {
      log.warn("folder not removed path={} reason={}", folder, e.toString());
    }
  }

  private static boolean hasMounts(Path folder) throws IOException {
    if (!Files.exists(MOUNTS)) {
      return false; // Not Linux.
    }
    String inside = " " + folder.toRealPath() + "/";
    return Files.readAllLines(MOUNTS).stream().anyMatch(line -> line.contains(inside));
  }
}
