package dev.berth.checks.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/// What a stopped containerd leaves on the machine: containers, shims, mounts.
final class ContainerdRemains {
  private final ContainerdDirectory directory;
  private final String runtime;
  private final UnaryOperator<List<String>> inside;

  ContainerdRemains(
      ContainerdDirectory directory, String runtime, UnaryOperator<List<String>> inside) {
    this.directory = directory;
    this.runtime = runtime;
    this.inside = inside;
  }

  void clear() {
    deleteContainers();
    endShims();
    unmount();
  }

  private void deleteContainers() {
    Path states = directory.containers().resolve("k8s.io");
    if (!Files.isDirectory(states)) {
      return;
    }
    try (var containers = Files.list(states)) {
      for (Path container : containers.toList()) {
        run(
            List.of(
                runtime,
                "--root",
                states.toString(),
                "delete",
                "-f",
                container.getFileName().toString()));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// A shim names the socket of its containerd in its arguments.
  private void endShims() {
    List<ProcessHandle> shims =
        ProcessHandle.allProcesses()
            .filter(
                process ->
                    List.of(process.info().arguments().orElse(new String[0]))
                        .contains(directory.socket().toString()))
            .filter(process -> process.info().command().orElse("").contains("containerd-shim"))
            .toList();
    shims.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle shim : shims) {
      try {
        shim.onExit().get(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        throw new AssertionError("shim did not end", e);
      }
    }
  }

  private void unmount() {
    List<String> mounts = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
        String target = line.split(" ", -1)[1];
        if (target.startsWith(directory.path() + "/")) {
          mounts.add(target);
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    Collections.reverse(mounts);
    mounts.forEach(mount -> run(List.of("umount", "-l", mount)));
  }

  private void run(List<String> command) {
    try {
      Commands.run(inside.apply(command));
    } catch (IOException e) {
      // The next test has its own directory; what is left is seen in this output.
      System.out.println("clean-up of containerd: " + e.getMessage());
    }
  }
}
