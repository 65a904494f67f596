package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.client.ResourceType;
import dev.berth.cri.v1.WindowsContainerResources;
import dev.berth.sim.model.MachineInventory;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods on a runtime service that takes Windows' configurations and no others.
final class WindowsPodsTest {
  private static final String SERVER =
      "containers: [{name: main, image: 'servercore:1', resources: {limits: {cpu: 1}}}]";

  @TempDir private Path directory;
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(directory).onWindows();
    node.service("containerd");
    node.start();
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void aPodRunsUnderProcessIsolationAndUnderHyperV() {
    node.create(
        ResourceType.RUNTIME_CLASSES, "{metadata: {name: hv}, handler: runhcs-wcow-hypervisor}");

    node.pod("process", "os: {name: windows}\n" + SERVER);
    node.pod("isolated", "runtimeClassName: hv\n" + SERVER);

    JsonNode process = node.awaitPhase("process", "Running");
    JsonNode status = node.awaitPhase("isolated", "Running");
    WindowsContainerResources.Builder limits =
        WindowsContainerResources.newBuilder().setCpuCount(2).setCpuShares(156);
    assertThat(resources(process)).isEqualTo(limits.setCpuMaximum(156).build());
    assertThat(resources(status)).isEqualTo(limits.setCpuMaximum(5000).build());
    assertThat(status.toString()).contains("handler \\\"runhcs-wcow-hypervisor\\\"");
    assertThat(process.at("/conditions").toString())
        .contains("cpu_count, cpu_shares and cpu_maximum", "process isolation");
    assertThat(status.at("/conditions").toString())
        .contains("WindowsResources", "Hyper-V isolation");
  }

  private WindowsContainerResources resources(JsonNode status) {
    String id = status.at("/containerStatuses/0/containerID").asText().replaceFirst(".*://", "");
    return new MachineInventory(node.simulator("containerd").machine())
        .container(id)
        .status()
        .getResources()
        .getWindows();
  }

  @Test
  void aPodOfAnotherSystemIsRefusedInTheWordsOfTheKubelet() {
    node.pod("penguin", "os: {name: linux}\n" + SERVER);
    node.pod("selected", "nodeSelector: {kubernetes.io/os: linux}\n" + SERVER);

    assertThat(node.awaitPhase("penguin", "Failed").path("reason").asText())
        .isEqualTo("PodOSNotSupported");
    JsonNode status = node.awaitPhase("selected", "Failed");
    assertThat(status.path("reason").asText()).isEqualTo("PodOSSelectorNodeLabelDoesNotMatch");
    assertThat(status.path("message").asText())
        .isEqualTo(
            "Pod was rejected: Failed to admit pod as the `kubernetes.io/os` label doesn't match node label");
  }
}
