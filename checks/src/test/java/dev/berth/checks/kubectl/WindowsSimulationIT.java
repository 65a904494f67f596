package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.TestCluster;
import dev.berth.launch.agent.NodeSystem;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// `berth up --simulate --os=windows:10.0.20348.2340`, used as a Windows node with an unmodified
/// kubectl.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WindowsSimulationIT {
  private static final String NANOSERVER = "mcr.microsoft.com/windows/nanoserver";

  private TestCluster cluster;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    NodeSystem windows = NodeSystem.parse("windows:10.0.20348.2340").orElseThrow();
    cluster = TestCluster.withNode(directory.resolve("data"), windows);
    kubectl = new Kubectl(cluster.kubeconfig(), directory.resolve("cache"));
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void theClusterStartsWithClassesForWhatTheNodeRuns() {
    assertThat(
            kubectl.run(
                "get",
                "runtimeclasses",
                "-o=jsonpath={range .items[*]}{.metadata.name} {.handler}"
                    + " {.scheduling.nodeSelector.node\\.kubernetes\\.io/windows-build}{\"\\n\"}{end}"))
        .isEqualTo(
            """
            windows-1809-hyperv runhcs-wcow-hypervisor-17763 10.0.20348
            windows-hyperv runhcs-wcow-hypervisor 10.0.20348
            windows-ltsc2022 runhcs-wcow-process 10.0.20348
            """);
  }

  @Test
  void anOlderImageRunsUnderHyperVOnly() {
    run("old", NANOSERVER + ":1809", "windows-ltsc2022");
    run("old-hyperv", NANOSERVER + ":1809", "windows-hyperv");
    run("old-named", NANOSERVER + ":1809", "windows-1809-hyperv");

    ready("old-hyperv");
    ready("old-named");
    awaitEvent(
        "old",
        "image %s:1809 has no entry for windows/amd64 10.0.20348; it has windows/amd64 10.0.17763."
            .formatted(NANOSERVER));
  }

  @Test
  void aNewerImageRunsNowhere() {
    run("newer", NANOSERVER + ":ltsc2025", "windows-hyperv");

    awaitEvent(
        "newer",
        "has no entry for windows/amd64 10.0.20348 or older under Hyper-V;"
            + " it has windows/amd64 10.0.26100.");
  }

  @Test
  void theHostsReleaseAndImagesOfEveryReleaseRunWithoutHyperV() {
    run("own", NANOSERVER + ":ltsc2022", "windows-ltsc2022");
    run("every", "example.com/web:1", "windows-ltsc2022");
    kubectl.run("run", "plain", "--image=" + NANOSERVER + ":ltsc2022");

    ready("own");
    ready("every");
    ready("plain");
  }

  private void run(String pod, String image, String runtimeClass) {
    kubectl.run(
        "run",
        pod,
        "--image=" + image,
        "--overrides={\"apiVersion\":\"v1\",\"spec\":{\"runtimeClassName\":\"%s\"}}"
            .formatted(runtimeClass));
  }

  private void ready(String pod) {
    kubectl.run("wait", "--for=condition=Ready", "pod/" + pod, "--timeout=120s");
  }

  private void awaitEvent(String pod, String text) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    String events = events(pod);
    while (!events.contains(text)) {
      assertThat(System.nanoTime()).as("events of %s: %s", pod, events).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      events = events(pod);
    }
  }

  private String events(String pod) {
    return kubectl.run(
        "get",
        "events",
        "--field-selector=involvedObject.name=" + pod,
        "-o=jsonpath={.items[*].message}");
  }
}
