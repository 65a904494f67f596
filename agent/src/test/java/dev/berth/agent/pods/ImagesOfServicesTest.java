package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.ImageCollector;
import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.images.ImagePuller;
import dev.berth.agent.images.ImageRequest;
import dev.berth.agent.images.ImageTarget;
import dev.berth.agent.images.PullListener;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.fake.ManualTime;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What one image service suffers from is no matter of the others.
final class ImagesOfServicesTest {
  private static final ImagePlatform HOST = PullSettings.STANDARD.host();
  private static final CollectionRules AT_ONCE =
      new CollectionRules(85, 80, Duration.ZERO, Duration.ofHours(1));
  @TempDir private Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private ImageMemory memory;
  private ImagePuller puller;
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(directory);
    node.service("good");
    node.service("ill");
    node.start();
    memory = ImageMemory.open(directory.resolve("images"), VerificationRules.STANDARD);
    puller =
        new ImagePuller(PullSettings.STANDARD.withParallel(1), time, time, memory, (_, _) -> {});
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private ImageService service(String name) {
    return node.registry().imageServices().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void pull(String service) throws InterruptedException {
    pull(service, "unused:1");
  }

  private void pull(String service, String image) throws InterruptedException {
    var request =
        new ImageRequest(
            image,
            "Always",
            new ImageTarget("", TargetPlatform.of(PullSettings.STANDARD.host()), false),
            Map.of(),
            List.of(),
            PodSandboxConfig.getDefaultInstance());
    puller.ensure(service(service), request, PullListener.NONE);
  }

  private String images(String service) {
    return service(service).client().listImages(ImageFilter.getDefaultInstance()).toString();
  }

  @Test
  void aPullThatHangsHoldsUpNoOtherService() throws Exception {
    node.simulator("ill").knobs().faults().add(PodLifeTest.hang("PullImage"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> hanging =
          threads.submit(
              () -> {
                pull("ill");
                return null;
              });
      Await.until(
          "the pull has begun",
          () -> node.simulator("ill").knobs().faults().list().getFirst().acted() > 0);

      Future<?> other =
          threads.submit(
              () -> {
                pull("good");
                return null;
              });

      Await.until("the other is done", other::isDone);
      assertThat(images("good")).contains("unused:1");
      hanging.cancel(true);
    }
  }

  @Test
  void whatNoRegistryHasStays() throws Exception {
    pull("good");
    pull("good", "berth.dev/demo:1");
    try (ImageCollector collector =
        ImageCollector.start(node.registry(), HOST, AT_ONCE, memory, time, time)) {
      collector.collectUnused(_ -> true);
    }

    assertThat(images("good")).contains("berth.dev/demo:1").doesNotContain("unused:1");
  }

  @Test
  void imagesOfServicesThatHaveRoomStay() throws Exception {
    pull("good");
    pull("ill");
    try (ImageCollector collector =
        ImageCollector.start(node.registry(), HOST, AT_ONCE, memory, time, time)) {
      collector.collectUnused(one -> one.name().equals("ill"));
    }

    assertThat(images("good")).contains("unused:1");
    assertThat(images("ill")).doesNotContain("unused:1");
  }

  @Test
  void servicesThatHaveRoomAreNotAsked() throws Exception {
    var faults = node.simulator("ill").knobs().faults();
    faults.add(PodLifeTest.hang("*Images"));
    pull("good");
    try (ImageCollector collector =
        ImageCollector.start(node.registry(), HOST, AT_ONCE, memory, time, time)) {
      collector.collectUnused(one -> one.name().equals("good"));
    }

    assertThat(images("good")).doesNotContain("unused:1");
    assertThat(faults.list().getFirst().acted()).isZero();
  }

  @Test
  void anImageThatCannotBeRemovedKeepsNoOther() throws Exception {
    pull("good", "first:1");
    pull("good", "second:1");
    node.simulator("good").knobs().faults().add(failing("RemoveImage", new RuleFrequency(0, 1, 1)));
    try (ImageCollector collector =
        ImageCollector.start(node.registry(), HOST, AT_ONCE, memory, time, time)) {
      collector.collectUnused(_ -> true);
    }

    assertThat(service("good").client().listImages(ImageFilter.getDefaultInstance())).hasSize(1);
  }

  @Test
  void imagesAreCollectedThoughAnotherServiceFails() throws Exception {
    pull("good");
    pull("ill");
    node.simulator("ill").knobs().faults().add(failing("*Containers", RuleFrequency.ALWAYS));
    try (ImageCollector collector =
        ImageCollector.start(node.registry(), HOST, AT_ONCE, memory, time, time)) {
      collector.collectUnused(_ -> true);
    }

    assertThat(images("good")).doesNotContain("unused:1");
    assertThat(images("ill")).as("nobody knows whether it is used").contains("unused:1");
  }

  private static FaultRule failing(String call, RuleFrequency dose) {
    return new FaultRule(
        new GlobPattern(call),
        FaultRule.Subject.ANYTHING,
        Duration.ZERO,
        Duration.ZERO,
        Optional.of(new FaultRule.Failure(Status.Code.INTERNAL, "ill")),
        false,
        dose);
  }
}
