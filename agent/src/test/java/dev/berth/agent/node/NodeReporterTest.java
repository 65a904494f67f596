package dev.berth.agent.node;

import static dev.berth.agent.node.TestNodes.DOWN;
import static dev.berth.agent.node.TestNodes.NOW;
import static dev.berth.agent.node.TestNodes.OPTIONS;
import static dev.berth.agent.node.TestNodes.READY;
import static dev.berth.agent.node.TestNodes.container;
import static dev.berth.agent.node.TestNodes.observed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class NodeReporterTest {
  private static final ObjectKey KEY = new ObjectKey("", "node-1");

  private final InstantSource clock = InstantSource.fixed(NOW);
  private final FakeApi api =
      new FakeApi(List.of(ResourceType.NODES, ResourceType.LEASES, ResourceType.NAMESPACES), clock);
  private final ApiClient client = new ApiClient(api);
  private final DelayedActions delays = DelayedActions.realTime();
  private final Backoff backoff =
      new Backoff(Duration.ofMillis(1), Duration.ofMillis(10), new Random(1));
  private final List<String> told = new CopyOnWriteArrayList<>();
  private volatile ObservedNode observed = observed(container("a", READY, true));
  private final NodeReporter reporter =
      NodeReporter.start(
          new NodeObject(OPTIONS, "v1"),
          client,
          () -> observed,
          (_, reason, _) -> told.add(reason),
          clock,
          delays,
          backoff);

  @AfterEach
  void close() {
    reporter.close();
    delays.close();
    api.close();
  }

  @Test
  void aNodeRegistersItself() throws InterruptedException {
    assertThat(reporter.awaitUid()).isNotEmpty();
    assertThat(ready()).isEqualTo("True");
    assertThat(told)
        .containsExactly(
            "Starting",
            "NodeHasSufficientMemory",
            "NodeHasNoDiskPressure",
            "NodeHasSufficientPID",
            "RuntimeServiceReady",
            "NodeReady");
  }

  @Test
  void aChangeIsWrittenAtOnce() throws InterruptedException {
    reporter.awaitUid();
    observed = observed(container("a", DOWN, true));
    reporter.wake();

    Await.until("the node is not ready", () -> ready().equals("False"));
    Await.until("users are told", () -> told.getLast().equals("NodeNotReady"));
    assertThat(told).contains("RuntimeServiceNotReady");
  }

  @Test
  void nothingIsWrittenWhenNothingChanged() throws InterruptedException {
    reporter.awaitUid();
    AtomicInteger writes = new AtomicInteger();
    api.onRequest(request -> writes.addAndGet(isWrite(request) ? 1 : 0));
    reporter.wake();
    reporter.wake();
    observed = observed(container("a", DOWN, true));
    reporter.wake();

    Await.until("the node is not ready", () -> ready().equals("False"));
    assertThat(writes).hasValue(1);
  }

  @Test
  void aNodeThatWasDeletedStaysAwayAndItsLeaseToo() throws InterruptedException {
    api.createNamespace("kube-node-lease");
    reporter.awaitUid();
    AtomicInteger made = new AtomicInteger();
    api.onRequest(request -> made.addAndGet(request.method().equals("POST") ? 1 : 0));
    api.delete(ResourceType.NODES, KEY, "Background");
    Await.until("it is noticed", reporter::isAway);
    AtomicInteger looks = new AtomicInteger();
    api.onRequest(request -> looks.addAndGet(isLook(request) ? 1 : 0));
    try (NodeLease _ = NodeLease.start(reporter, client, "node-1", clock, delays, backoff)) {
      reporter.wake();
      Await.until("it was looked for again", () -> looks.get() > 0);
    }

    assertThat(made).hasValue(0);
    assertThat(api.find(ResourceType.NODES, KEY)).isEmpty();
  }

  @Test
  void aNodeThatSomebodyMadeAgainIsReportedAgain() throws InterruptedException {
    reporter.awaitUid();
    api.delete(ResourceType.NODES, KEY, "Background");
    Await.until("it is noticed", reporter::isAway);
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", "node-1");
    client.json(ResourceType.NODES).create(node);

    Await.until("it is ready", () -> ready().equals("True"));
    Await.until("it is there again", () -> !reporter.isAway());
  }

  @Test
  void ourLabelsAreRepairedAndThoseOfOthersStay() throws InterruptedException {
    reporter.awaitUid();
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode labels = patch.withObject("/metadata/labels");
    labels.put("kubernetes.io/os", "plan9").put("team", "web");
    client.json(ResourceType.NODES).patch(KEY, ObjectPatch.merge(patch));

    Await.until("the label is repaired", () -> label("kubernetes.io/os").equals("linux"));
    assertThat(label("team")).isEqualTo("web");
  }

  @Test
  void aWindowsNodeRepairsItsBuildAndPlatform() throws InterruptedException {
    MachineInfo machine = observed.machine();
    MachineInfo windows =
        new MachineInfo(
            "windows", "amd64", "10.0.17763", "10.0.17763.805", "", machine.ids(), machine.size());
    observed =
        new ObservedNode(
            windows,
            observed.runtimes(),
            observed.pressures(),
            observed.images(),
            List.of(),
            10250);
    reporter.wake();
    reporter.awaitUid();
    Map<String, String> own =
        Map.of(
            "node.kubernetes.io/windows-build", "10.0.17763",
            "kubernetes.io/os", "windows",
            "kubernetes.io/arch", "amd64");
    Await.until("the labels are written", () -> hasLabels(own));
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode labels = patch.withObject("/metadata/labels");
    labels.put("node.kubernetes.io/windows-build", "10.0.20348");
    labels.put("kubernetes.io/os", "linux").putNull("kubernetes.io/arch");
    client.json(ResourceType.NODES).patch(KEY, ObjectPatch.merge(patch));

    Await.until("the labels are repaired", () -> hasLabels(own));
  }

  private boolean hasLabels(Map<String, String> wanted) {
    return wanted.entrySet().stream().allMatch(one -> label(one.getKey()).equals(one.getValue()));
  }

  @Test
  void failuresAreRetried() throws InterruptedException {
    reporter.awaitUid();
    var fault = api.refuse(NodeReporterTest::isWrite, 500, "InternalError");
    AtomicInteger attempts = new AtomicInteger();
    api.onRequest(request -> attempts.addAndGet(isWrite(request) ? 1 : 0));
    observed = observed(container("a", DOWN, true));
    reporter.wake();
    Await.until("it was tried again and again", () -> attempts.get() > 3);
    fault.close();

    Await.until("the node is not ready", () -> ready().equals("False"));
  }

  @Test
  void theLeaseIsHeldByTheNodeAndGoesWithIt() throws InterruptedException {
    api.createNamespace("kube-node-lease");
    ObjectKey key = new ObjectKey("kube-node-lease", "node-1");
    try (NodeLease _ = NodeLease.start(reporter, client, "node-1", clock, delays, backoff)) {
      Await.until("there is a lease", () -> api.find(ResourceType.LEASES, key).isPresent());
    }
    JsonNode lease = api.find(ResourceType.LEASES, key).orElseThrow();
    assertThat(lease.at("/spec/holderIdentity").asText()).isEqualTo("node-1");
    assertThat(lease.at("/spec/renewTime").asText()).isEqualTo("2030-01-01T00:00:00.000000Z");
    assertThat(lease.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(reporter.awaitUid());
  }

  private static boolean isLook(ApiRequest request) {
    return request.method().equals("GET") && request.target().contains("/nodes/node-1");
  }

  private static boolean isWrite(ApiRequest request) {
    return !request.method().equals("GET");
  }

  private String ready() {
    JsonNode node = api.find(ResourceType.NODES, KEY).orElseThrow();
    for (JsonNode condition : node.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText();
      }
    }
    return "";
  }

  private String label(String key) {
    return api.find(ResourceType.NODES, KEY)
        .orElseThrow()
        .at("/metadata/labels")
        .path(key)
        .asText();
  }
}
