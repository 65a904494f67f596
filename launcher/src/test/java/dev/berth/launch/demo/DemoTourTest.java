package dev.berth.launch.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoTourTest {
  private final FakeApi server =
      new FakeApi(
          List.of(ResourceType.NODES, ResourceType.RUNTIME_CLASSES),
          new ManualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final ApiClient client = new ApiClient(server);

  @Test
  void realPodsDoNotGoToSimulatedNodes() {
    node("real", "containerd://1.6.20");
    node("simulated", "berth-sim://0.1.0");
    runtimeClass("runc");

    assertThat(DemoTour.pods(client)).containsExactly(new DemoPod("runc", false, List.of("real")));
    assertThat(
            DemoTour.pods(client)
                .getFirst()
                .document()
                .at(
                    "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                        + "/nodeSelectorTerms/0/matchExpressions/0")
                .toString())
        .isEqualTo(
            "{\"key\":\"kubernetes.io/hostname\",\"operator\":\"In\",\"values\":[\"real\"]}");
  }

  @Test
  void nothingIsSaidOfNodesWhereAllAreAlike() {
    node("one", "containerd://1.6.20");
    node("two", "cri-o://1.30.0");

    assertThat(DemoTour.pods(client)).containsExactly(new DemoPod("", false, List.of()));
    assertThat(DemoTour.pods(client).getFirst().document().at("/spec").has("affinity")).isFalse();
  }

  @Test
  void podsArePretendedWhereAllNodesAre() {
    node("one", "berth-sim://0.1.0");
    runtimeClass("crun");

    assertThat(DemoTour.pods(client)).containsExactly(new DemoPod("crun", true, List.of()));
  }

  private void node(String name, String runtime) {
    ObjectNode node = object("v1", "Node", name);
    node.withObject("/metadata/labels").put("kubernetes.io/hostname", name);
    node.withObject("/status/nodeInfo").put("containerRuntimeVersion", runtime);
    client.json(ResourceType.NODES).create(node);
  }

  private void runtimeClass(String name) {
    client
        .json(ResourceType.RUNTIME_CLASSES)
        .create(object("node.k8s.io/v1", "RuntimeClass", name).put("handler", name));
  }

  private static ObjectNode object(String version, String kind, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", version).put("kind", kind);
    object.putObject("metadata").put("name", name);
    return object;
  }
}
