package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An API server that does not accept what the agent says of a pod.
final class RefusedStatusTest {
  private static final String SLEEPING =
      "{terminationGracePeriodSeconds: 1,"
          + " containers: [{name: main, image: 'busybox:1', command: [sleep, '1000000']}]}";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"422, Invalid", "403, Forbidden", "400, BadRequest"})
  void aPodWhoseStatusIsRefusedCanBeDeleted(int code, String reason) throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.start();
      try (FakeApi.Lift _ =
          node.api.refuse(request -> request.target().endsWith("/status"), code, reason)) {
        node.pod("web", SLEEPING);
        Await.until("it runs", () -> node.simulator("one").machine().containerCount() == 1);
        Await.until(
            "there is an event",
            () ->
                node.events("web").stream()
                    .anyMatch(
                        event ->
                            event.startsWith(
                                "FailedStatusUpdate: the API server refused the pod's status: made to fail.")));

        node.delete("web");

        node.awaitGone("web");
        Await.until("nothing is left", () -> node.simulator("one").machine().sandboxCount() == 0);
        assertThat(node.events("web").stream().filter(one -> one.startsWith("FailedStatus")))
            .hasSize(1);
      }
    }
  }

  @Test
  void aPodCanBeDeletedThoughTheServerRefusesEverythingElse() throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.start();
      node.pod("web", SLEEPING);
      node.awaitPhase("web", "Running");
      try (FakeApi.Lift _ =
          node.api.refuse(
              request -> !request.method().equals("GET") && !request.method().equals("DELETE"),
              403,
              "Forbidden")) {
        node.delete("web");

        node.awaitGone("web");
      }
    }
  }

  @Test
  void aSuccessorOfTheSameNameRunsWhileNothingIsToldOfTheFirst() throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.start();
      node.pod("web", SLEEPING);
      node.awaitPhase("web", "Running");
      node.api.delete(ResourceType.PODS, new ObjectKey("default", "web"), "");
      node.client
          .json(ResourceType.PODS)
          .delete(new ObjectKey("default", "web"), DeleteOptions.DEFAULT.withGracePeriod(0));
      node.pod("web", SLEEPING);

      node.awaitPhase("web", "Running");
      Await.until("the first is gone", () -> node.simulator("one").machine().sandboxCount() == 1);
    }
  }
}
