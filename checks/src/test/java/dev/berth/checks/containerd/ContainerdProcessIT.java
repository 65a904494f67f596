package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The tests' own containerd.
class ContainerdProcessIT {
  @ParameterizedTest
  @EnumSource(LowLevelRuntime.class)
  void itIsTheSameAfterAKillAndLeavesNothingBehind(LowLevelRuntime runtime, @TempDir Path directory)
      throws Exception {
    assumeTrue(ContainerdProcess.isUsable(runtime));
    Path home = directory.resolve("c");
    try (ContainerdProcess containerd = ContainerdProcess.start(home, runtime)) {
      assertThat(containerd.ctr("images", "ls", "-q"))
          .contains(TestImages.BUSYBOX, TestImages.PAUSE);
      containerd.ctr(
          "run",
          "-d",
          "--runc-binary",
          runtime.handler(),
          "--runc-root",
          home.resolve("containers").toString(),
          TestImages.BUSYBOX,
          "sleeper",
          "/bin/sleep",
          "1000");

      containerd.kill();
      containerd.restart();

      assertThat(containerd.ctr("tasks", "ls")).contains("sleeper", "RUNNING");
    }
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(home.toString());
    assertThat(
            ProcessHandle.allProcesses().flatMap(process -> process.info().commandLine().stream()))
        .noneMatch(line -> line.contains(home.toString()));
  }
}
