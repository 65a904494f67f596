package dev.berth.agent.node;

import static dev.berth.agent.node.TestNodes.MACHINE;
import static dev.berth.agent.node.TestNodes.NOW;
import static dev.berth.agent.node.TestNodes.OPTIONS;
import static dev.berth.agent.node.TestNodes.READY;
import static dev.berth.agent.node.TestNodes.container;
import static dev.berth.agent.node.TestNodes.observed;
import static dev.berth.agent.node.TestNodes.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.node.usage.NodeImage;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.api.Quantity;
import dev.berth.api.pods.WorkloadType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NodeObjectTest {
  private final NodeObject document = new NodeObject(OPTIONS, "v1.32.0");
  private final ObservedNode twoServices =
      observed(
          container("containerd", READY, true, new ServiceHandler("runc", true, true), handler("")),
          service(
              "qemu",
              WorkloadType.VM,
              READY,
              true,
              handler("kvm"),
              new ServiceHandler("runc", true, false)));

  @Test
  void servicesAreInLabelsAnnotationAndHandlers() {
    ObjectNode node = document.registration(twoServices, NOW);

    assertThat(node.at("/metadata/labels").toString())
        .contains("\"runtime.berth.dev/containerd\":\"container\"")
        .contains("\"runtime.berth.dev/qemu\":\"vm\"")
        .contains("\"kubernetes.io/hostname\":\"node-1\"")
        .doesNotContain("windows");
    assertThat(node.at("/metadata/annotations/berth.dev~1runtime-services").asText())
        .isEqualTo(
            "{\"containerd\":{\"workloadType\":\"container\",\"handlers\":[\"runc\"],\"default\":true},"
                + "\"qemu\":{\"workloadType\":\"vm\",\"handlers\":[\"kvm\",\"runc\"],\"default\":true}}");
    assertThat(node.at("/status/runtimeHandlers"))
        .extracting(handler -> handler.path("name").asText())
        .containsExactly("", "kvm", "runc");
    assertThat(node.at("/status/runtimeHandlers/2/features").toString())
        .isEqualTo("{\"recursiveReadOnlyMounts\":true,\"userNamespaces\":false}");
    assertThat(node.at("/status/nodeInfo/containerRuntimeVersion").asText())
        .isEqualTo("fake://1.2");
  }

  @Test
  void aServiceThatWentTakesItsLabelAndConditionWithIt() {
    ObjectNode before = document.registration(twoServices, NOW);
    ((ObjectNode) before.at("/metadata/labels")).put("team", "web");
    before.withArray("/status/conditions").addObject().put("type", "NetworkUnavailable");
    ObservedNode one = observed(container("containerd", READY, true));

    ObjectNode after = document.status(document.metadata(before, one), one, NOW);

    assertThat(after.at("/metadata/labels").has("runtime.berth.dev/qemu")).isFalse();
    assertThat(after.at("/metadata/labels/team").asText()).isEqualTo("web");
    assertThat(after.at("/status/conditions"))
        .extracting(condition -> condition.path("type").asText())
        .containsExactly(
            "NetworkUnavailable",
            "MemoryPressure",
            "DiskPressure",
            "PIDPressure",
            "RuntimeReady-containerd",
            "Ready");
  }

  @Test
  void aConditionKeepsItsTimeWhileItHolds() {
    ObjectNode first = document.registration(observed(container("a", READY, true)), NOW);
    ObservedNode down = observed(container("a", TestNodes.DOWN, true));

    ObjectNode later = document.status(first, down, NOW.plus(Duration.ofHours(1)));

    assertThat(later.at("/status/conditions/0/lastTransitionTime").asText())
        .isEqualTo("2030-01-01T00:00:00Z");
    assertThat(later.at("/status/conditions/0/lastHeartbeatTime").asText())
        .isEqualTo("2030-01-01T01:00:00Z");
    assertThat(later.at("/status/conditions/4/lastTransitionTime").asText())
        .isEqualTo("2030-01-01T01:00:00Z");
  }

  @Test
  void whatTheServerReadBackFromTextSaysTheSame() throws Exception {
    ObservedNode small = withImage(2_000_000);
    ObjectNode first = document.registration(small, NOW);
    ObjectNode read = (ObjectNode) new ObjectMapper().readTree(first.toString());
    Instant later = NOW.plus(Duration.ofHours(1));

    assertThat(ConditionList.saySame(document.status(read, small, later), read)).isTrue();
    ObservedNode large = withImage(2_000_001);
    assertThat(ConditionList.saySame(document.status(read, large, later), read)).isFalse();
  }

  private static ObservedNode withImage(long size) {
    var service = container("a", READY, true);
    var image =
        new NodeImage(List.of(), List.of("demo:1"), size, service.imageEndpoint(), List.of());
    return new ObservedNode(
        MACHINE, TestNodes.snapshot(service), Set.of(), List.of(image), List.of(), 10250);
  }

  @Test
  void podsDoNotGetWhatIsReserved() {
    NodeOptions options =
        new NodeOptions(
            "node-1",
            OPTIONS.addresses(),
            Map.of(),
            List.of(new NodeOptions.Taint("gpu", "", "NoSchedule")),
            50,
            Map.of(
                "cpu", Quantity.parse("500m").orElseThrow(),
                "memory", Quantity.parse("1Gi").orElseThrow()),
            ReadinessPolicy.ALL,
            PressureRules.STANDARD);

    ObjectNode node = new NodeObject(options, "v1").registration(observed(), NOW);

    assertThat(node.at("/status/capacity").toString())
        .isEqualTo(
            "{\"cpu\":\"4\",\"memory\":\"8388608Ki\",\"ephemeral-storage\":\"104857600Ki\","
                + "\"pods\":\"50\",\"hugepages-2Mi\":\"0\"}");
    assertThat(node.at("/status/allocatable").toString())
        .isEqualTo(
            "{\"cpu\":\"3500m\",\"memory\":\"7237632Ki\",\"ephemeral-storage\":\"96636764160\","
                + "\"pods\":\"50\",\"hugepages-2Mi\":\"0\"}");
    assertThat(options.forPods(MACHINE.size()))
        .isEqualTo(
            new dev.berth.agent.pods.config.ContainerCapacity(
                3500, 7_237_632L << 10, 96_636_764_160L, 50));
    assertThat(node.at("/spec/taints").toString())
        .isEqualTo("[{\"key\":\"gpu\",\"effect\":\"NoSchedule\"}]");
  }

  @Test
  void memoryThatIsSetAsideForHugePagesIsNotForPods() {
    Size size =
        new Size(4, 8L << 30, 1, Map.of("hugepages-2Mi", 1L << 30, "hugepages-64Ki", 64L << 10));
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    NodeCapacity capacity = new NodeCapacity(size, OPTIONS);
    capacity.writeTo(status);

    assertThat(capacity.memoryForPods())
        .isEqualTo(
            new NodeCapacity(new Size(4, 8L << 30, 1, Map.of()), OPTIONS).memoryForPods()
                - (1L << 30)
                - (64 << 10));
    assertThat(status.at("/capacity/memory").asText()).isEqualTo("8388608Ki");
    assertThat(status.at("/allocatable/hugepages-2Mi").asText()).isEqualTo("1024Mi");
    assertThat(status.at("/allocatable/hugepages-64Ki").asText()).isEqualTo("64Ki");
  }

  @Test
  void itsHostnameIsItsName() {
    assertThat(document.registration(observed(), NOW).at("/status/addresses").toString())
        .contains("{\"type\":\"Hostname\",\"address\":\"node-1\"}");
  }

  @Test
  void aWindowsNodeNamesItsBuild() {
    MachineInfo windows =
        new MachineInfo("windows", "amd64", "10.0.20348", "", "", MACHINE.ids(), MACHINE.size());
    ObservedNode observed =
        new ObservedNode(
            windows, TestNodes.snapshot(), TestNodes.ROOMY, List.of(), List.of(), 10250);

    assertThat(
            document
                .registration(observed, NOW)
                .at("/metadata/labels/node.kubernetes.io~1windows-build")
                .asText())
        .isEqualTo("10.0.20348");
  }

  private static ServiceHandler handler(String name) {
    return ServiceHandler.named(name);
  }
}
