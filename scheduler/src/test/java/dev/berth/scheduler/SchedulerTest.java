package dev.berth.scheduler;

import static dev.berth.scheduler.model.TestObjects.classTree;
import static dev.berth.scheduler.model.TestObjects.nodeTree;
import static dev.berth.scheduler.model.TestObjects.podTree;
import static dev.berth.scheduler.model.TestObjects.requests;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.scheduler.model.ClassScheduling;
import dev.berth.scheduler.model.TestObjects;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The running scheduler on an API server in memory.
final class SchedulerTest {
  private final FakeApi server =
      new FakeApi(
          List.of(
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              ResourceType.PODS,
              ResourceType.EVENTS,
              ResourceType.LEASES,
              ResourceType.RUNTIME_CLASSES),
          InstantSource.system());
  private final ApiClient client = new ApiClient(server);
  private final List<AutoCloseable> running = new CopyOnWriteArrayList<>();

  @BeforeEach
  void namespace() {
    server.createNamespace("default");
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : running) {
      one.close();
    }
  }

  private void start() {
    start(RunningScheduler.DEFAULT_NAMES);
  }

  private void start(Set<String> names) {
    running.add(
        RunningScheduler.start(
            client,
            new SchedulerProfile(names, ClassScheduling.OFFERED),
            new SchedulerMetrics(new PrometheusRegistry(), InstantSource.system()),
            InstantSource.system(),
            new Random(1)));
  }

  private void createPod(String name, String spec) {
    server.create(ResourceType.PODS, podTree(name, spec));
  }

  private void createNode(String name, String merged) {
    server.create(ResourceType.NODES, nodeTree(name, merged));
  }

  private String nodeOf(String pod) {
    return server
        .find(ResourceType.PODS, key(pod))
        .map(tree -> tree.at("/spec/nodeName").asText())
        .orElse("gone");
  }

  private String refusalOf(String pod) {
    ObjectNode tree = server.find(ResourceType.PODS, key(pod)).orElseThrow();
    return tree.at("/status/conditions/0/message").asText();
  }

  private static ObjectKey key(String pod) {
    return new ObjectKey("default", pod);
  }

  private void patchNode(String name, String merged) {
    client
        .json(ResourceType.NODES)
        .patch(
            ObjectKey.clusterScoped(name), ObjectPatch.merge(TestObjects.json("{" + merged + "}")));
  }

  private long eventsOf(String pod, String reason) {
    return server.list(ResourceType.EVENTS).stream()
        .filter(event -> event.at("/involvedObject/name").asText().equals(pod))
        .filter(event -> event.path("reason").asText().equals(reason))
        .count();
  }

  @Test
  void aPodIsBoundAndTheEventSaysWhere() {
    createNode("a", "");
    createPod("p", requests(100, 100));
    start();

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
    Await.untilAsserted(
        () ->
            assertThat(server.list(ResourceType.EVENTS))
                .extracting(event -> event.path("message").asText())
                .containsExactly("Successfully assigned default/p to a"));
  }

  @Test
  void aRefusedPodIsToldOnceAndBoundWhenANodeComes() {
    start();
    createPod("p", "");
    Await.untilAsserted(
        () -> assertThat(refusalOf("p")).isEqualTo("no nodes available to schedule pods"));

    createNode("small", "'status':{'allocatable':{'pods':'0'}}");
    Await.untilAsserted(
        () -> assertThat(refusalOf("p")).isEqualTo("0/1 nodes are available: 1 Too many pods."));
    patchNode("small", "'metadata':{'labels':{'x':'y'}}");
    createNode("a", "");

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
    Await.untilAsserted(() -> assertThat(eventsOf("p", "Scheduled")).isEqualTo(1));
    assertThat(eventsOf("p", "FailedScheduling")).isEqualTo(2);
  }

  @Test
  void anUnschedulablePodCausesNoRequests() {
    createNode("a", "");
    start();
    createPod("big", requests(9000, 1));
    Await.untilAsserted(() -> assertThat(eventsOf("big", "FailedScheduling")).isEqualTo(1));
    AtomicInteger requests = new AtomicInteger();
    server.onRequest(_ -> requests.incrementAndGet());

    createPod("other", requests(1, 1));
    Await.untilAsserted(() -> assertThat(eventsOf("other", "Scheduled")).isEqualTo(1));

    assertThat(requests).hasValue(2);
  }

  @Test
  void aReadyRuntimeWakesThePodsThatWaitForIt() {
    server.create(ResourceType.RUNTIME_CLASSES, classTree("gvisor", "runsc"));
    createNode("a", service("sandbox", "container", "runsc", false));
    start();
    createPod("p", "'runtimeClassName':'gvisor'");
    Await.untilAsserted(
        () ->
            assertThat(refusalOf("p"))
                .isEqualTo(
                    "0/1 nodes are available: 1 node(s) have handler runsc but its runtime service"
                        + " is not ready."));

    patchNode("a", service("sandbox", "container", "runsc", true));

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
  }

  @Test
  void aClassThatComesLaterOrChangesWakesItsPods() {
    createNode("a", service("sandbox", "container", "runsc", true));
    start();
    createPod("p", "'runtimeClassName':'gvisor'");
    Await.untilAsserted(
        () ->
            assertThat(refusalOf("p"))
                .isEqualTo(
                    "0/1 nodes are available: RuntimeClass \"gvisor\" not found. Create it, or correct spec.runtimeClassName; RuntimeClasses: none."));
    server.create(ResourceType.RUNTIME_CLASSES, classTree("gvisor", "wrong"));
    Await.untilAsserted(() -> assertThat(refusalOf("p")).contains("(handler wrong)"));
    server.delete(ResourceType.RUNTIME_CLASSES, ObjectKey.clusterScoped("gvisor"), "Background");
    Await.untilAsserted(() -> assertThat(refusalOf("p")).contains("not found"));

    server.create(ResourceType.RUNTIME_CLASSES, classTree("gvisor", "runsc"));

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
  }

  @Test
  void aNodeThatGetsTheLabelOfAClassWakesItsPods() {
    createNode("a", "");
    start();
    createPod("p", "'nodeSelector':{'runtime':'gvisor'}");
    Await.untilAsserted(
        () -> assertThat(refusalOf("p")).contains("didn't match Pod's node affinity/selector"));

    patchNode("a", "'metadata':{'labels':{'runtime':'gvisor'}}");

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
  }

  @Test
  void roomThatAPodLeavesIsGivenToAnother() {
    createNode("a", "");
    ObjectNode first = podTree("first", requests(4000, 1));
    first.withObject("/spec").put("nodeName", "a");
    server.create(ResourceType.PODS, first);
    start();
    createPod("second", requests(4000, 1));
    Await.untilAsserted(
        () ->
            assertThat(refusalOf("second"))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu."));

    ObjectNode done = TestObjects.json("{'status':{'phase':'Succeeded'}}");
    client.json(ResourceType.PODS).patch(key("first"), ObjectPatch.merge(done));

    Await.untilAsserted(() -> assertThat(nodeOf("second")).isEqualTo("a"));
  }

  @Test
  void aFailedBindGivesTheRoomBackAndIsRepeated() {
    createNode("a", "");
    FakeApi.Lift fault = server.refuse(SchedulerTest::isBinding, 500, "InternalError");
    AtomicInteger binds = countBinds();
    start();
    createPod("p", requests(4000, 1));
    Await.untilAsserted(() -> assertThat(binds).hasValueGreaterThan(1));
    assertThat(nodeOf("p")).isEmpty();

    fault.close();

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
  }

  @Test
  void aPlaceLostWhileBindingIsFoundElsewhere() {
    server.create(ResourceType.RUNTIME_CLASSES, classTree("gvisor", "runsc"));
    createNode("a", service("sandbox", "container", "runsc", true));
    FakeApi.Lift fault = server.refuse(SchedulerTest::isBinding, 500, "InternalError");
    AtomicInteger binds = countBinds();
    start();
    createPod("p", "'runtimeClassName':'gvisor'");
    Await.untilAsserted(() -> assertThat(binds).hasValueGreaterThan(0));
    patchNode("a", service("sandbox", "container", "runsc", false));
    createNode("b", service("sandbox", "container", "runsc", true));
    server.delete(ResourceType.NODES, ObjectKey.clusterScoped("a"), "Background");
    fault.close();

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("b"));
  }

  @Test
  void aPodBoundByAnotherSchedulerIsLeftAlone() throws InterruptedException {
    createNode("a", "");
    createNode("b", "");
    CountDownLatch theirs = new CountDownLatch(1);
    AtomicInteger binds = countBinds();
    server.onRequest(
        request -> {
          if (isBinding(request) && theirs.getCount() > 0) {
            theirs.countDown();
            client.bind(key("p"), "", "b");
          }
        });
    start();
    createPod("p", requests(4000, 1));
    theirs.await();

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("b"));
    // The other one's place counts, and ours was given back.
    createPod("q", requests(4000, 1));
    Await.untilAsserted(() -> assertThat(nodeOf("q")).isEqualTo("a"));
    assertThat(eventsOf("p", "Scheduled")).isZero();
    assertThat(binds).hasValueGreaterThanOrEqualTo(3);
  }

  @Test
  void onlyPodsOfItsProfilesAreScheduled() {
    createNode("a", "");
    start(Set.of("mine", "also-mine"));
    createPod("p", "'schedulerName':'mine'");
    createPod("q", "'schedulerName':'also-mine'");
    createPod("r", "'schedulerName':'another'");

    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
    Await.untilAsserted(() -> assertThat(nodeOf("q")).isEqualTo("a"));
    assertThat(nodeOf("r")).isEmpty();
  }

  @Test
  void manyPodsFillManyNodesEvenly() {
    for (int i = 0; i < 20; i++) {
      createNode("n" + i, "");
    }
    start();
    for (int i = 0; i < 200; i++) {
      createPod("p" + i, requests(400, 100));
    }

    Await.untilAsserted(
        () ->
            assertThat(server.list(ResourceType.PODS))
                .allMatch(pod -> pod.path("spec").has("nodeName")));
    assertThat(
            server.list(ResourceType.PODS).stream()
                .collect(
                    java.util.stream.Collectors.groupingBy(
                        pod -> pod.at("/spec/nodeName").asText(),
                        java.util.stream.Collectors.counting())))
        .hasSize(20)
        .allSatisfy((_, pods) -> assertThat(pods).isEqualTo(10));
  }

  @Test
  void aWatchThatExpiredIsMadeUpFor() {
    createNode("a", "");
    start();
    createPod("p", requests(4000, 1));
    Await.untilAsserted(() -> assertThat(nodeOf("p")).isEqualTo("a"));
    server.forgetHistory();
    server.cutWatches();
    createPod("q", requests(100, 1));
    createNode("b", "");

    Await.untilAsserted(() -> assertThat(nodeOf("q")).isEqualTo("b"));
  }

  private AtomicInteger countBinds() {
    AtomicInteger binds = new AtomicInteger();
    server.onRequest(
        request -> {
          if (isBinding(request)) {
            binds.incrementAndGet();
          }
        });
    return binds;
  }

  private static boolean isBinding(ApiRequest request) {
    return request.target().endsWith("/binding");
  }
}
