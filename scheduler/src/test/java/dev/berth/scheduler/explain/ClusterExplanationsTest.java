package dev.berth.scheduler.explain;

import static dev.berth.scheduler.model.TestObjects.classTree;
import static dev.berth.scheduler.model.TestObjects.nodeTree;
import static dev.berth.scheduler.model.TestObjects.podTree;
import static dev.berth.scheduler.model.TestObjects.requests;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ClusterExplanationsTest {
  private final FakeApi server =
      new FakeApi(
          List.of(
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              ResourceType.PODS,
              ResourceType.RUNTIME_CLASSES),
          InstantSource.system());

  @BeforeEach
  void cluster() {
    server.createNamespace("default");
    ObjectNode gvisor = classTree("gvisor", "runsc");
    gvisor
        .withObject("/metadata/annotations")
        .put("runtimeclass.berth.dev/is-default-class", "true");
    gvisor.withObject("/overhead/podFixed").put("memory", "64Mi");
    server.create(ResourceType.RUNTIME_CLASSES, gvisor);
    server.create(
        ResourceType.NODES, nodeTree("a", service("sandbox", "container", "runsc", true)));
    server.create(
        ResourceType.NODES, nodeTree("b", service("sandbox", "container", "runsc", false)));
    server.create(
        ResourceType.NODES, nodeTree("c", service("containerd", "container", "runc", true)));
  }

  private ClusterExplanations read() {
    return ClusterExplanations.read(new ApiClient(server));
  }

  private void create(String name, String node, String spec) {
    ObjectNode pod = podTree(name, spec);
    if (!node.isEmpty()) {
      pod.withObject("/spec").put("nodeName", node);
    }
    server.create(ResourceType.PODS, pod);
  }

  @Test
  void eachNodeSaysWhyItDoesNotDo() {
    create("filler", "a", requests(4000, 10));
    create("p", "", requests(100, 10) + ",'runtimeClassName':'gvisor'");

    PodExplanation explained = read().pod(new ObjectKey("default", "p")).orElseThrow();

    assertThat(explained.message()).startsWith("0/3 nodes are available: 1 Insufficient cpu");
    assertThat(explained.nodes())
        .extracting(node -> node.node() + ": " + String.join(", ", node.reasons()))
        .containsExactly(
            "a: Insufficient cpu",
            "b: node(s) have handler runsc but its runtime service is not ready",
            "c: node(s) don't offer RuntimeClass \"gvisor\" (handler runsc)");
  }

  @Test
  void aPlacedPodDoesNotStandInItsOwnWay() {
    create("p", "a", requests(4000, 10) + ",'runtimeClassName':'gvisor'");

    PodExplanation explained = read().pod(new ObjectKey("default", "p")).orElseThrow();

    assertThat(explained.message()).isEqualTo("It is on a.");
    assertThat(explained.nodes().getFirst().fits()).isTrue();
  }

  @Test
  void aPodThatIsNotThereHasNoExplanation() {
    assertThat(read().pod(new ObjectKey("default", "p"))).isEmpty();
  }

  @Test
  void aClassIsListedWithItsNodesRoomAndPods() {
    create("p", "a", requests(1000, 1024) + ",'runtimeClassName':'gvisor'");

    ClassReport report = read().classes().getFirst();

    assertThat(report.name()).isEqualTo("gvisor");
    assertThat(report.isDefault()).isTrue();
    assertThat(report.overhead()).containsEntry("memory", "64Mi");
    assertThat(report.offering()).isEqualTo(2);
    assertThat(report.ready()).isEqualTo(1);
    assertThat(report.pods()).isEqualTo(1);
    assertThat(report.free()).isEqualTo(new FreeResources(3000, 7L << 30, 109));
    assertThat(report.nodes())
        .extracting(node -> node.node() + " " + node.services() + " " + node.state())
        .containsExactly("a [sandbox] ready", "b [sandbox] not ready");
  }

  /// KEP-585, "Native RuntimeClass Reporting": a tool that lists the nodes of a class's rules.
  @Test
  void theRulesOfAClassDecideWhichNodesItHas() {
    ObjectNode windows = classTree("windows", "runc");
    windows.withObject("/scheduling/nodeSelector").put("kubernetes.io/os", "windows");
    windows
        .withObject("/scheduling")
        .putArray("tolerations")
        .addObject()
        .put("key", "windows")
        .put("operator", "Exists");
    server.create(ResourceType.RUNTIME_CLASSES, windows);
    server.create(ResourceType.NODES, windowsNode("open", "windows"));
    server.create(ResourceType.NODES, windowsNode("closed", "maintenance"));
    server.create(
        ResourceType.NODES,
        nodeTree("old", "'metadata':{'labels':{'kubernetes.io/os':'windows'}}"));

    ClassReport report = read().classes().getLast();

    assertThat(report.nodes())
        .extracting(node -> node.node() + ": " + node.state())
        .containsExactlyInAnyOrder("open: ready", "closed: tainted", "old: by labels");
    assertThat(report.ready()).isEqualTo(1);
  }

  private static ObjectNode windowsNode(String name, String taint) {
    ObjectNode node = nodeTree(name, service("containerd", "container", "runc", true));
    node.withObject("/metadata/labels").put("kubernetes.io/os", "windows");
    node.withObject("/spec")
        .putArray("taints")
        .addObject()
        .put("key", taint)
        .put("effect", "NoSchedule");
    return node;
  }
}
