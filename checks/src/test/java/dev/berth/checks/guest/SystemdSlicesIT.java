package dev.berth.checks.guest;

import static dev.berth.checks.guest.GuestNode.quantities;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/// Pods of `berth agent --cgroup-driver=systemd` where systemd makes the control groups of
/// containers.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SystemdSlicesIT {
  private static final String LEVEL =
      "/berth.slice/berth-kubepods.slice/berth-kubepods-burstable.slice/berth-kubepods-burstable";

  private GuestNode node;

  @RegisterExtension
  final TestExecutionExceptionHandler console =
      (_, problem) -> {
        throw node.explained(problem);
      };

  /// The limit of the class is one for tests alone.
  @BeforeEach
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void start(@TempDir Path directory) throws Exception {
    assumeTrue(Guest.isUsable() && GuestSystem.SYSTEMD.isUsable());
    node = new GuestNode(directory, GuestSystem.SYSTEMD, "--cgroup-driver=systemd");
  }

  @AfterEach
  void stop() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  @Test
  void aPodsSliceHoldsLimitsAndOverheadUntilItGoes() {
    node.apply(
        "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: heavy}, handler: runc,"
            + " overhead: {podFixed: {cpu: 200m, memory: 140Mi}}}");
    node.pod(
        "burstable",
        "runtimeClassName: heavy",
        "{requests: {cpu: 50m, memory: 100Mi}, limits: {cpu: 100m, memory: 100Mi}}");
    Pod pod = node.awaitPhase("burstable", "Running");
    String uid = pod.getMetadata().getUid().replace('-', '_');
    String group = "%s-pod%s.slice".formatted(LEVEL, uid);
    String scope = "%s/cri-containerd-%s.scope".formatted(group, GuestNode.containerId(pod));
    assertThat(node.limits(group)).isEqualTo("251658240, 30000 100000, 10, max, 0");
    assertThat(node.limits(scope)).startsWith("104857600, 10000 100000, 2, ").endsWith(", 1");
    assertThat(node.limits(LEVEL.replaceFirst("/[^/]*$", ""))).startsWith("max, max 100000, 10,");
    // Its own writes last only until systemd looks again.
    node.guest.run("systemctl daemon-reload");
    assertThat(node.limits(group)).isEqualTo("251658240, 30000 100000, 10, max, 0");

    node.resize("burstable", quantities("100m", "120Mi"), quantities("155m", "120Mi"));
    node.await("more", () -> node.limits(scope).startsWith("125829120, 15500 100000, 4, "));
    node.await("more", () -> node.limits(group).equals("272629760, 36000 100000, 12, max, 0"));

    node.deleteAndAwait("burstable");
    assertThat(node.guest.group(group, "memory.max")).contains("No such file");
    assertThat(node.guest.run("systemctl list-units --no-legend '*pod*.slice'"))
        .doesNotContain(uid);
  }
}
