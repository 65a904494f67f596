package dev.berth.agent.node;

import static dev.berth.agent.node.TestNodes.DOWN;
import static dev.berth.agent.node.TestNodes.NOW;
import static dev.berth.agent.node.TestNodes.READY;
import static dev.berth.agent.node.TestNodes.ROOMY;
import static dev.berth.agent.node.TestNodes.container;
import static dev.berth.agent.node.TestNodes.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.agent.pressure.PressureCondition;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.ServiceHealth;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

final class NodeConditionsTest {
  private final NodeConditions partial = new NodeConditions(ReadinessPolicy.PARTIAL);
  private final NodeConditions all = new NodeConditions(ReadinessPolicy.ALL);

  @Test
  void aHealthyNodeSaysWhatKubeletsSay() {
    assertThat(partial.of(snapshot(container("a", READY, true)), ROOMY))
        .containsExactly(
            new NodeCondition(
                "MemoryPressure",
                "False",
                "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available"),
            new NodeCondition(
                "DiskPressure",
                "False",
                "KubeletHasNoDiskPressure",
                "kubelet has no disk pressure"),
            new NodeCondition(
                "PIDPressure",
                "False",
                "KubeletHasSufficientPID",
                "kubelet has sufficient PID available"),
            new NodeCondition(
                "RuntimeReady-a",
                "True",
                "RuntimeReady",
                "fake://1.2: compute and network are ready"),
            new NodeCondition("Ready", "True", "KubeletReady", "kubelet is posting ready status"));
  }

  @Test
  void withOneOfTwoServicesDownThePolicyDecides() {
    RuntimeSnapshot half = snapshot(container("a", READY, true), container("b", DOWN, false));

    assertThat(ready(partial, half))
        .isEqualTo(
            new NodeCondition(
                "Ready",
                "True",
                "KubeletReady",
                "kubelet is posting ready status; not ready: b: it hangs: no answer"));
    assertThat(ready(all, half))
        .isEqualTo(
            new NodeCondition(
                "Ready",
                "False",
                "KubeletNotReady",
                "container runtime not ready: b: it hangs: no answer"));
    assertThat(partial.of(half, ROOMY))
        .extracting(NodeCondition::type, NodeCondition::status)
        .contains(tuple("RuntimeReady-a", "True"), tuple("RuntimeReady-b", "False"));
  }

  @Test
  void aNodeWithoutServicesIsNotReady() {
    assertThat(ready(partial, snapshot()).status()).isEqualTo("False");
    assertThat(ready(all, snapshot()).message())
        .isEqualTo(
            "container runtime not ready: no runtime service is registered; add one with `berth"
                + " runtimes add`");
  }

  @Test
  void drainingTheOnlyServiceKeepsTheNodeReady() {
    RuntimeService draining = container("a", new ServiceHealth.Draining(NOW, READY), true);

    assertThat(ready(all, snapshot(draining)).status()).isEqualTo("True");
    assertThat(partial.of(snapshot(draining), ROOMY).get(3))
        .isEqualTo(
            new NodeCondition(
                "RuntimeReady-a",
                "False",
                "RuntimeDraining",
                "fake://1.2: it takes no new pods; apart from that: compute and network are ready"));
  }

  @Test
  void aFullMachineSaysSo() {
    assertThat(partial.of(snapshot(), EnumSet.allOf(PressureCondition.class)))
        .filteredOn(condition -> condition.status().equals("True"))
        .extracting(NodeCondition::type, NodeCondition::reason, NodeCondition::message)
        .containsExactly(
            tuple(
                "MemoryPressure",
                "KubeletHasInsufficientMemory",
                "kubelet has insufficient memory available"),
            tuple("DiskPressure", "KubeletHasDiskPressure", "kubelet has disk pressure"),
            tuple(
                "PIDPressure",
                "KubeletHasInsufficientPID",
                "kubelet has insufficient PID available"));
  }

  private static NodeCondition ready(NodeConditions conditions, RuntimeSnapshot runtimes) {
    return conditions.of(runtimes, ROOMY).getLast();
  }
}
