package dev.berth.agent.pods.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.pods.TestNode;
import dev.berth.agent.pressure.EvictionSignal;
import dev.berth.agent.pressure.EvictionThreshold;
import dev.berth.agent.pressure.PressureCondition;
import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.pressure.SignalReadings;
import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.agent.pressure.SignalSource;
import dev.berth.agent.pressure.ThresholdValue;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeMounting;
import dev.berth.client.ResourceType;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.ContainerStatsFilter;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pods that have to go because they take too much, or because the node is short of something.
final class PodEvictionTest {
  private static final String WHY = "Usage of EmptyDir volume \"v\" exceeds the limit \"1Ki\". ";

  private static final String SLEEPING =
      "{terminationGracePeriodSeconds: 600, containers: [{name: main, image: 'busybox:1', command: [sleep, '1000']}]}";

  /// Of a name, memory that it uses, more of its specification, and a service.
  private static final String PRESENT =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: default, annotations: {sim.berth.dev/memory: %s}}
      spec:
        %s
        nodeName: node-1
        runtimeServiceName: %s
        terminationGracePeriodSeconds: 600
        containers: [{name: main, image: "busybox:1", command: [sleep, "1000"]}]
      """;

  private final AtomicInteger looks = new AtomicInteger();

  @TempDir private Path directory;

  @Test
  void aPodThatTakesTooMuchFailsAndGivesItsRoomBack() throws Exception {
    GrowingVolumes volumes = new GrowingVolumes();
    try (TestNode node = new TestNode(directory).with(volumes).hurried()) {
      node.service("one");
      node.start();
      for (String name : List.of("greedy", "modest")) {
        node.pod(name, SLEEPING);
        node.awaitPhase(name, "Running");
      }

      volumes.grown.set(true);
      JsonNode status = node.awaitPhase("greedy", "Failed");

      assertThat(status.path("reason").asText()).isEqualTo("Evicted");
      assertThat(status.path("message").asText()).isEqualTo(WHY);
      Await.until("the event is there", () -> node.events("greedy").contains("Evicted: " + WHY));
      Await.until("the room is free", volumes.removed::get);
      assertThat(node.status("modest").path("phase").asText()).isEqualTo("Running");
    }
  }

  @Test
  void aContainerThatWritesTooMuchFailsItsPod() throws Exception {
    try (TestNode node = new TestNode(directory).hurried()) {
      node.service("one");
      node.start();
      // A simulated container writes 20 KiB.
      for (String name : List.of("small", "large")) {
        node.pod(
            name,
            SLEEPING.replace(
                "image:",
                "resources: {limits: {ephemeral-storage: %s}}, image:"
                    .formatted(name.equals("small") ? "10Ki" : "1Mi")));
      }
      node.awaitPhase("large", "Running");

      JsonNode status = node.awaitPhase("small", "Failed");

      assertThat(status.path("reason").asText()).isEqualTo("Evicted");
      assertThat(status.path("message").asText())
          .isEqualTo(
              "Pod ephemeral local storage usage exceeds the total limit of containers 10Ki. ");
      assertThat(node.status("large").path("phase").asText()).isEqualTo("Running");
    }
  }

  @Test
  void aCriticalPodGetsTheRoomOfOneThatWasPromisedLess() throws Exception {
    try (TestNode node = new TestNode(directory).hurried()) {
      node.service("one");
      node.start();
      for (String name : List.of("large", "small")) {
        node.pod(name, SLEEPING.replace("image:", requests(name.equals("large") ? 600 : 300)));
        node.awaitPhase(name, "Running");
      }

      node.pod(
          "critical",
          SLEEPING
              .replace("image:", requests(350))
              .replace("containers:", "priority: 2000000000, containers:"));
      node.awaitPhase("critical", "Running");

      JsonNode status = node.awaitPhase("small", "Failed");
      assertThat(status.path("reason").asText()).isEqualTo("Preempting");
      assertThat(status.path("message").asText())
          .isEqualTo("Preempted in order to admit critical pod");
      assertThat(status.path("conditions"))
          .anySatisfy(
              one -> {
                assertThat(one.path("type").asText()).isEqualTo("DisruptionTarget");
                assertThat(one.path("message").asText())
                    .isEqualTo("Pod was preempted by Kubelet to accommodate a critical pod.");
              });
      assertThat(status.at("/containerStatuses/0/state").has("terminated")).isTrue();
      assertThat(node.status("large").path("phase").asText()).isEqualTo("Running");
      Await.until(
          "the event is there",
          () ->
              node.events("small")
                  .contains("Preempting: Preempted in order to admit critical pod"));
    }
  }

  private static String requests(int mebibytes) {
    return "resources: {requests: {memory: %dMi}}, image:".formatted(mebibytes);
  }

  @Test
  void aNodeShortOfMemoryEvictsWhoTakesMostOverAllServices() throws Exception {
    AtomicReference<TestNode> here = new AtomicReference<>();
    Path manifests = Files.createDirectories(directory.resolve("manifests"));
    Files.writeString(
        manifests.resolve("system.yaml"), PRESENT.formatted("system", "900Mi", "", "one"));
    try (TestNode node =
        new TestNode(directory)
            .hurried()
            .withManifests(manifests)
            .with(() -> memory(here.get() != null && running(here.get()) > 3 ? 50 : 5000))) {
      node.service("one");
      node.service("two");
      node.create(ResourceType.NODES, "{metadata: {name: node-1}}");
      node.start();
      node.create(ResourceType.PODS, PRESENT.formatted("modest", "100Mi", "", "one"));
      node.create(ResourceType.PODS, PRESENT.formatted("greedy", "500Mi", "", "two"));
      node.create(ResourceType.PODS, PRESENT.formatted("precious", "700Mi", "priority: 9", "two"));
      List.of("modest", "greedy", "precious", "system-" + TestNode.NAME)
          .forEach(name -> node.awaitPhase(name, "Running"));

      here.set(node);
      JsonNode status = node.awaitPhase("greedy", "Failed");

      assertThat(status.path("reason").asText()).isEqualTo("Evicted");
      assertThat(status.path("message").asText())
          .isEqualTo(
              "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi."
                  + " Container main was using 500Mi, request is 0, has larger consumption of"
                  + " memory. ");
      assertThat(status.path("conditions"))
          .anySatisfy(
              one -> {
                assertThat(one.path("type").asText()).isEqualTo("DisruptionTarget");
                assertThat(one.path("reason").asText()).isEqualTo("TerminationByKubelet");
              });
      assertThat(node.pressure().pressures()).containsExactly(PressureCondition.MEMORY);
      assertThat(
              node.counts.scrape(name -> name.equals("kubelet_evictions")).stream()
                  .flatMap(family -> family.getDataPoints().stream())
                  .map(point -> point.getLabels().get("eviction_signal")))
          .containsExactly("memory.available");
      Await.until(
          "the node's event is there",
          () ->
              node.events(TestNode.NAME)
                  .contains("EvictionThresholdMet: Attempting to reclaim memory"));
      assertThat(node.status("precious").path("phase").asText()).isEqualTo("Running");
      assertThat(node.status("system-" + TestNode.NAME).path("phase").asText())
          .isEqualTo("Running");
      node.create(ResourceType.PODS, PRESENT.formatted("late", "1Mi", "", "one"));
      assertThat(node.awaitPhase("late", "Failed").path("message").asText())
          .isEqualTo("Pod was rejected: The node had condition: [MemoryPressure]. ");
    }
  }

  @Test
  void aFullDiskIsHadBackFromWhatNobodyNeedsBeforePodsGo() throws Exception {
    AtomicReference<TestNode> here = new AtomicReference<>();
    SignalSource signals =
        () -> {
          TestNode node = here.get();
          boolean isShort = node != null && images(node).contains("unused:1");
          return new SignalReadings(
              Map.of(EvictionSignal.NODE_DISK, new Reading(isShort ? 5 : 50, 100)),
              false,
              Set.of());
        };
    try (TestNode node =
        new TestNode(directory)
            .hurried()
            .with(new CollectionRules(85, 80, Duration.ZERO, Duration.ofHours(1)))
            .with(signals)) {
      node.service("one");
      node.start();
      node.pod("stays", SLEEPING);
      node.pod(
          "over",
          "{restartPolicy: Never, containers: [{name: main, image: 'busybox:1', command: ['true']}]}");
      node.awaitPhase("stays", "Running");
      node.awaitPhase("over", "Succeeded");
      node.registry()
          .imageServices()
          .getFirst()
          .client()
          .pullImage(
              ImageSpec.newBuilder().setImage("unused:1").build(),
              AuthConfig.getDefaultInstance(),
              PodSandboxConfig.getDefaultInstance());

      here.set(node);
      Await.until("the image is gone", () -> !images(node).contains("unused:1"));

      Await.until(
          "so is the container", () -> node.simulator("one").machine().containerCount() == 1);
      assertThat(images(node)).contains("busybox:1");
      assertThat(node.status("stays").path("phase").asText()).isEqualTo("Running");
      JsonNode over = node.status("over");
      assertThat(over.path("phase").asText()).isEqualTo("Succeeded");
      assertThat(over.at("/containerStatuses/0/state/terminated/exitCode").asInt(-1)).isZero();
      assertThat(node.pressure().pressures()).containsExactly(PressureCondition.DISK);
    }
  }

  @Test
  void aFullDiskOfOneServiceIsNoMatterOfAnothersPods() throws Exception {
    AtomicReference<TestNode> here = new AtomicReference<>();
    SignalSource signals =
        () -> {
          TestNode node = here.get();
          return node == null ? SignalReadings.NONE : fullDiskOf(node.registry(), "full");
        };
    try (TestNode node = new TestNode(directory).hurried().with(signals)) {
      node.service("roomy");
      node.service("full");
      node.start();
      // By its name and use the one of the other service would be the first to go.
      node.create(ResourceType.PODS, PRESENT.formatted("innocent", "1Mi", "priority: 0", "roomy"));
      node.create(ResourceType.PODS, PRESENT.formatted("there", "1Mi", "priority: 100", "full"));
      node.awaitPhase("innocent", "Running");
      node.awaitPhase("there", "Running");

      here.set(node);

      assertThat(node.awaitPhase("there", "Failed").path("reason").asText()).isEqualTo("Evicted");
      int before = looks.get();
      Await.until("further looks find nobody else", () -> looks.get() > before + 3);
      assertThat(node.status("innocent").path("phase").asText()).isEqualTo("Running");
    }
  }

  @Test
  void whatNobodyCanHelpWithKeepsNothingElseFromBeingLookedAt() throws Exception {
    AtomicReference<TestNode> here = new AtomicReference<>();
    Map<EvictionSignal, Reading> nothingLeft =
        Map.of(
            EvictionSignal.IMAGE_DISK,
            new Reading(0, 100),
            EvictionSignal.PIDS,
            new Reading(0, 100));
    SignalSource signals =
        () -> {
          TestNode node = here.get();
          return node == null
              ? SignalReadings.NONE
              : new SignalReadings(
                  nothingLeft, true, fullDiskOf(node.registry(), "full").onImageDisk());
        };
    PressureRules rules =
        new PressureRules(
            nothingLeft.keySet().stream()
                .map(signal -> EvictionThreshold.hard(signal, new ThresholdValue(10, 0)))
                .toList(),
            Duration.ofMinutes(5),
            Duration.ZERO);
    try (TestNode node = new TestNode(directory).hurried().with(rules, signals)) {
      node.service("roomy");
      node.service("full");
      node.start();
      node.create(ResourceType.PODS, PRESENT.formatted("elsewhere", "1Mi", "", "roomy"));
      node.awaitPhase("elsewhere", "Running");

      here.set(node);

      assertThat(node.awaitPhase("elsewhere", "Failed").path("message").asText())
          .startsWith("The node was low on resource: pids.");
    }
  }

  private SignalReadings fullDiskOf(RuntimeServices runtimes, String service) {
    looks.incrementAndGet();
    return new SignalReadings(
        Map.of(EvictionSignal.IMAGE_DISK, new Reading(0, 100)),
        true,
        runtimes.imageServices().stream()
            .filter(one -> one.name().equals(service))
            .map(ImageService::endpoint)
            .collect(Collectors.toSet()));
  }

  private static int running(TestNode node) {
    return node.registry().runtimeServices().stream()
        .mapToInt(
            one ->
                one.runtime().listContainerStats(ContainerStatsFilter.getDefaultInstance()).size())
        .sum();
  }

  private static SignalReadings memory(long mebibytes) {
    return new SignalReadings(
        Map.of(EvictionSignal.MEMORY, new Reading(mebibytes << 20, 8000L << 20)), false, Set.of());
  }

  private static String images(TestNode node) {
    return node.registry()
        .imageServices()
        .getFirst()
        .client()
        .listImages(ImageFilter.getDefaultInstance())
        .toString();
  }

  private static final class GrowingVolumes implements PodVolumes {
    final AtomicBoolean grown = new AtomicBoolean();
    final AtomicBoolean removed = new AtomicBoolean();

    @Override
    public void prepare(Pod pod) {}

    @Override
    public List<VolumeMounting> mounts(Pod pod, Container container) {
      return List.of();
    }

    @Override
    public Optional<String> excess(Pod pod) {
      boolean isGreedy = pod.getMetadata().getName().equals("greedy");
      return isGreedy && grown.get() ? Optional.of(WHY) : Optional.empty();
    }

    @Override
    public void remove(Pod pod) {
      removed.set(true);
    }
  }
}
