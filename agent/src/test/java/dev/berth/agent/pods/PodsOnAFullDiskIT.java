package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.volumes.mounts.LinuxMounts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node whose disk is full.
final class PodsOnAFullDiskIT {
  @TempDir private Path directory;
  private final LinuxMounts mounts = new LinuxMounts();

  @BeforeEach
  void onlyRoot() throws Exception {
    assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "needs root");
    mounts.memory(Files.createDirectory(directory.resolve("pods")), 64 << 10);
  }

  @AfterEach
  void unmount() throws Exception {
    mounts.unmountBelow(directory);
  }

  @Test
  void thePodSaysWhyAndRunsOnceThereIsRoom() throws Exception {
    fill(directory.resolve("pods/ballast"));
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.start();
      node.pod(
          "web",
          "{terminationGracePeriodSeconds: 1, containers: [{name: main, image: 'busybox:1', command: [sleep, '1000']}]}");

      Await.until(
          "the pod tells of it",
          () ->
              node.events("web").stream().anyMatch(one -> one.contains("No space left on device")));
      assertThat(node.status("web").path("phase").asText()).isEqualTo("Pending");

      Files.delete(directory.resolve("pods/ballast"));
      node.awaitPhase("web", "Running");
    }
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] page = new byte[4096];
      while (true) {
        out.write(page);
      }
    } catch (IOException _) {
      // It is full.
    }
  }
}
