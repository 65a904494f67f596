package dev.berth.launch.agent;

import dev.berth.api.Problem;
import dev.berth.launch.containerd.ContainerdTeardown;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.runtimes.ClaimDirectory;
import dev.berth.launch.runtimes.UsedRuntimes;
import dev.berth.store.DataDirLock;
import dev.berth.store.DataDirLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// Ends what `berth up` leaves running when it stops: its pods wherever they are, and containerds
/// that it started.
public final class NodeDown {
  private NodeDown() {}

  /// Returns when nothing of it runs any more.
  ///
  /// @param grace how long containers may take to end by themselves
  /// @param progress is told what was done
  public static void run(Path dataDir, Duration grace, Consumer<String> progress) {
    if (!Files.isDirectory(dataDir)) {
      progress.accept("there is no data directory " + dataDir);
      return;
    }
    try (DataDirLock _ = DataDirLock.acquire(dataDir)) {
      Path agent = dataDir.resolve("agent");
      UsedRuntimes others = new UsedRuntimes(agent);
      boolean hadOthers = !others.endpoints().isEmpty();
      boolean isAlone = others.endPods(grace, progress);
      if (!hadOthers || ContainerdTeardown.isNeeded(dataDir)) {
        ContainerdTeardown.run(dataDir, grace, progress);
      }
      if (hadOthers && isAlone) {
        ContainerdTeardown.unmount(dataDir);
      }
      PodGroups.clear(agent);
      PodMemory.release(agent);
      if (isAlone) {
        ClaimDirectory.forget(ClaimDirectory.ofThisUser(), dataDir);
      }
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "control groups or memory of pods are left",
              String.valueOf(e.getMessage()),
              "End what runs in them and call `berth down` again"),
          e);
    } catch (DataDirLockedException e) {
      throw new LaunchException(
          new Problem(
              "pods of data directory %s cannot be ended".formatted(dataDir),
              "process %s uses it and would start them again".formatted(e.holder()),
              "Stop that process first"),
          e);
    }
  }
}
