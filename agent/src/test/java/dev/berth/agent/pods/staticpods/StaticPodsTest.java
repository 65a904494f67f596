package dev.berth.agent.pods.staticpods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.PodLifeTest;
import dev.berth.agent.pods.TestNode;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of static pods when their manifests change.
final class StaticPodsTest {
  private static final String NAME = "web-node-1";
  private static final String MANIFEST =
      """
      metadata: {name: web}
      spec:
        containers:
        - {name: main, image: "busybox:1", command: [sleep, "1000000"]}
      """;

  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  @TempDir private Path directory;
  private Path manifests;
  private Path file;

  @BeforeEach
  void write() throws Exception {
    manifests = Files.createDirectories(directory.resolve("manifests"));
    file = manifests.resolve("web");
    Files.writeString(file, MANIFEST);
  }

  @Test
  void aPodIsShownUntilItIsGoneAndThenTheNextOne() throws Exception {
    try (TestNode node = started()) {
      int hanging = node.simulator("one").knobs().faults().add(PodLifeTest.hang("StopContainer"));
      String uid = uid(node);
      String container = container(node);

      Files.writeString(file, MANIFEST.replace("web", "web, labels: {app: next}"));
      passUntil(
          "it is being stopped",
          () -> node.events(NAME).contains("Killing: Stopping container main"));
      time.advance(Duration.ofSeconds(5));
      assertThat(uid(node)).isEqualTo(uid);

      node.simulator("one").knobs().faults().remove(hanging);
      passUntil("the next one runs", () -> isRunning(node) && !container(node).equals(container));
      assertThat(uid(node)).isNotEqualTo(uid);
      assertThat(node.find(NAME).orElseThrow().at("/metadata/labels/app").asText())
          .isEqualTo("next");
    }
  }

  @Test
  void aManifestThatIsPutBackWhileItsPodEndsIsRunAgain() throws Exception {
    try (TestNode node = started()) {
      int hanging = node.simulator("one").knobs().faults().add(PodLifeTest.hang("StopContainer"));
      String container = container(node);

      Files.delete(file);
      passUntil(
          "it is being stopped",
          () -> node.events(NAME).contains("Killing: Stopping container main"));
      Files.writeString(file, MANIFEST);
      Files.writeString(manifests.resolve("other"), MANIFEST.replace("web", "other"));
      passUntil("the directory was read", () -> node.find("other-node-1").isPresent());

      node.simulator("one").knobs().faults().remove(hanging);
      passUntil("it runs again", () -> isRunning(node) && !container(node).equals(container));
    }
  }

  @Test
  void aCommentRestartsNothing() throws Exception {
    try (TestNode node = started()) {
      String uid = uid(node);
      String container = container(node);

      Files.writeString(file, "# of today\n" + MANIFEST);
      for (int i = 0; i < 8; i++) {
        time.advance(Duration.ofMillis(500));
      }
      Files.writeString(manifests.resolve("other"), MANIFEST.replace("web", "other"));
      passUntil("the directory was read", () -> node.find("other-node-1").isPresent());

      assertThat(uid(node)).isEqualTo(uid);
      assertThat(container(node)).isEqualTo(container);
      assertThat(node.events(NAME)).noneMatch(event -> event.startsWith("Killing"));
    }
  }

  private TestNode started() throws Exception {
    TestNode node = new TestNode(directory).in(time).withManifests(manifests);
    node.service("one");
    node.create(ResourceType.NODES, "{metadata: {name: node-1}}");
    node.start();
    passUntil("it runs", () -> isRunning(node));
    return node;
  }

  private static boolean isRunning(TestNode node) {
    return node.status(NAME).path("phase").asText().equals("Running");
  }

  private static String uid(TestNode node) {
    return node.find(NAME).orElseThrow().at("/metadata/uid").asText();
  }

  private static String container(TestNode node) {
    return node.status(NAME).at("/containerStatuses/0/containerID").asText();
  }

  private void passUntil(String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          time.advance(Duration.ofMillis(250));
          return condition.getAsBoolean();
        });
  }
}
