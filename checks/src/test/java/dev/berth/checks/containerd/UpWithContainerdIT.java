package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth up` with real containers: two runtimes side by side, a crash, and an end without remains.
class UpWithContainerdIT {
  @TempDir private Path temp;
  private Path data;

  @BeforeEach
  void check() {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.CRUN));
    assumeTrue(Commands.succeeds("kubectl", "version", "--client"));
    data = temp.resolve("d");
  }

  @AfterEach
  void down() throws IOException {
    if (data != null) {
      BerthUp.run("down", "--grace-period=0", "--data-dir=" + data);
    }
  }

  @Test
  void itsContainerdsOutliveACrashAreTakenOverAndLeaveNothingBehind() throws Exception {
    List<Long> before;
    try (BerthUp berth = BerthUp.start(data)) {
      assertThat(berth.kubectl("get", "runtimeclasses")).contains("runc", "crun");
      assertThat(BerthUp.run("images", "list", "--data-dir=" + data)).contains("berth.dev/demo:1");
      before = processes();
      assertThat(before).isNotEmpty();
      berth.kill();
    }
    try (BerthUp berth = BerthUp.start(data)) {
      assertThat(processes()).isEqualTo(before);
      assertThat(berth.stop()).contains("Pods run on", "berth down --data-dir " + data);
    }
    assertThat(processes()).isEqualTo(before);

    assertThat(BerthUp.run("down", "--data-dir=" + data)).contains("0 pods ended", "stopped");

    assertThat(processes()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(data.toString());
  }

  private List<Long> processes() {
    String folder = data.resolve("containerd").toString();
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(folder))
        .map(ProcessHandle::pid)
        .sorted()
        .toList();
  }
}
