package dev.berth.launch.agent;

import dev.berth.api.Problem;
import dev.berth.launch.containerd.ContainerdTeardown;
import dev.berth.launch.process.LaunchException;
import dev.berth.launch.runtimes.ClaimDirectory;
import dev.berth.launch.runtimes.UsedRuntimes;
import dev.berth.launch.vm.VmTeardown;
import dev.berth.store.DataDirLock;
import dev.berth.store.DataDirLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// Stops what `berth up` leaves running: its pods in all runtimes, its VM runtime, and private
/// containerds.
public final class NodeDown {
  private NodeDown() {}

  /// Stops the pods and containerds, and returns when none of them runs any more. The lock of the
  /// data directory is held meanwhile: a `berth up` that started now would start the pods again.
  ///
  /// @param grace time that containers have to terminate
  /// @param progress receives a line per action
  public static void run(Path dataDir, Duration grace, Consumer<String> progress) {
    if (!Files.isDirectory(dataDir)) {
      progress.accept("there is no data directory " + dataDir);
      return;
    }
    try (DataDirLock _ = DataDirLock.acquire(dataDir)) {
      Path agent = dataDir.resolve("agent");
      VmTeardown.run(dataDir, grace, progress);
      UsedRuntimes others = new UsedRuntimes(agent);
      boolean hadOthers = !others.endpoints().isEmpty();
      boolean isAlone = others.endPods(grace, progress);
      if (!hadOthers || ContainerdTeardown.isNeeded(dataDir)) {
        ContainerdTeardown.run(dataDir, grace, progress);
      }
      // A runtime that did not answer may still have containers that use the volumes.
      if (hadOthers && isAlone) {
        ContainerdTeardown.unmount(dataDir);
      }
      // The kernel removes a cgroup only when no process is left in it, so pods come first.
      PodGroups.clear(agent);
      PodMemory.release(agent);
      if (isAlone) {
        ClaimDirectory.forget(ClaimDirectory.ofThisUser(), dataDir);
      }
    } catch (IOException e) {
      throw new LaunchException(
          new Problem(
              "cgroups or memory of pods cannot be removed",
              String.valueOf(e.getMessage()),
              "Stop the processes in them and run `berth down` again"),
          e);
    } catch (DataDirLockedException e) {
      throw new LaunchException(
          new Problem(
              "pods of data directory %s cannot be stopped".formatted(dataDir),
              "process %s uses the directory and would start the pods again".formatted(e.holder()),
              "Stop the process first"),
          e);
    }
  }
}
