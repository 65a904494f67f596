package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth up` on a machine whose containerd runs already, and is not Berth's alone.
class UpBesideContainerdIT {
  @TempDir private Path temp;

  @Test
  void itsPodsAreLookedAfterAndThoseOfOthersAreLeftAlone() throws Exception {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.CRUN));
    assumeTrue(Commands.succeeds("kubectl", "version", "--client"));
    Path data = temp.resolve("d");
    try (SystemContainerd system = SystemContainerd.start(temp.resolve("c"))) {
      assertThat(refusal(system, data))
          .contains("1 pods of a kubelet run in it (default/theirs)")
          .contains("--private-containerd", "--ignore-kubelet");
      try (BerthUp berth = BerthUp.start(data, system)) {
        assertThat(berth.greeting())
            .contains(
                "with containerd (runtime classes: crun)", "pods keep running until `berth down`");
        assertThat(Commands.run(system.inside(BerthUp.berth("demo", "--data-dir=" + data))))
            .contains("hello from hello-crun", "The tour is complete.");
        run(berth);
        String before = container(berth);
        anotherClusterComesAndGoes(system);
        assertThat(container(berth)).isEqualTo(before);
        assertThat(berth.stop()).contains("Pods keep running", "berth down --data-dir " + data);
      }
      assertThat(system.sandboxes()).hasSize(2);

      assertThat(down(system, data)).contains("1 pods stopped; the runtime keeps running");

      assertThat(system.sandboxes()).containsExactly(system.foreign() + " SANDBOX_READY");
    }
  }

  /// A kubelet would end the pods of Berth.
  private static String refusal(SystemContainerd system, Path data) throws Exception {
    List<String> command =
        BerthUp.berth(
            "up",
            "--secure-port=0",
            "--data-dir=" + data,
            "--container-runtime-endpoint=unix:///run/containerd/containerd.sock");
    Process process = new ProcessBuilder(system.inside(command)).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(1);
    return output;
  }

  /// Two `berth up` on one machine have nodes of the same name, and share its containerd.
  private void anotherClusterComesAndGoes(SystemContainerd system) throws Exception {
    try (BerthUp berth = BerthUp.start(temp.resolve("e"), system)) {
      run(berth);
      berth.kubectl("delete", "pod", "web", "--grace-period=1");
      berth.stop();
    }
  }

  private static void run(BerthUp berth) throws IOException {
    berth.kubectl(
        "run",
        "web",
        "--image=" + TestImages.BUSYBOX,
        "--image-pull-policy=Never",
        "--command",
        "--",
        "/bin/sleep",
        "86400");
    berth.kubectl("wait", "--for=condition=Ready", "--timeout=120s", "pod", "web");
  }

  private static String container(BerthUp berth) throws IOException {
    return berth.kubectl(
        "get", "pod", "web", "-o", "jsonpath={.status.containerStatuses[0].containerID}");
  }

  private static String down(SystemContainerd system, Path data) throws IOException {
    List<String> command = BerthUp.berth("down", "--grace-period=0", "--data-dir=" + data);
    return Commands.run(system.inside(command));
  }
}
