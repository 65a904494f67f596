package dev.berth.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventWriterTest {
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final FakeApi api =
      new FakeApi(List.of(ResourceType.NAMESPACES, ResourceType.EVENTS), time);
  private EventWriter writer;
  private final Pod pod =
      new PodBuilder()
          .withNewMetadata()
          .withName("web")
          .withNamespace("default")
          .withUid("uid-1")
          .endMetadata()
          .withNewSpec()
          .addNewInitContainer()
          .withName("first")
          .endInitContainer()
          .addNewContainer()
          .withName("main")
          .endContainer()
          .addNewEphemeralContainer()
          .withName("debugger")
          .endEphemeralContainer()
          .endSpec()
          .build();

  @BeforeEach
  void start() {
    api.createNamespace("default");
    writer = new EventWriter(new ApiClient(api).json(ResourceType.EVENTS), "node-1", time, time);
  }

  @AfterEach
  void stop() {
    writer.close();
  }

  private List<ObjectNode> events() {
    return api.list(ResourceType.EVENTS);
  }

  @Test
  void whatHappensAgainAfterItsEventHasExpiredIsToldAnew() {
    writer.normal(pod, "", "Odd", "once");
    writer.normal(pod, "", "Odd", "once");
    Await.until(
        "both are counted",
        () -> events().stream().anyMatch(event -> event.path("count").asInt() == 2));
    String name = events().getFirst().at("/metadata/name").asText();
    api.delete(ResourceType.EVENTS, new ObjectKey("default", name), "");

    writer.normal(pod, "", "Odd", "once");

    Await.until("it is told again", () -> events().size() == 1);
    assertThat(events().getFirst().path("count").asInt()).isEqualTo(1);
  }

  @Test
  void theSourceIsCalledAsUpstreamsNodeAgent() {
    writer.normal(pod, "", "Odd", "of a pod");
    writer.publish(false, "Odd", "of the node");

    Await.until("both are told", () -> events().size() == 2);
    for (ObjectNode event : events()) {
      assertThat(event.path("source").toString())
          .isEqualTo("{\"component\":\"kubelet\",\"host\":\"node-1\"}");
      assertThat(event.path("reportingComponent").asText()).isEqualTo("kubelet");
      assertThat(event.path("reportingInstance").asText()).isEqualTo("node-1");
    }
  }

  @Test
  void whatDiffersInAnIdAloneIsToldAsOneInTheEnd() {
    for (int i = 1; i <= 15; i++) {
      writer.warning(pod, "main", "Unhealthy", "Liveness probe errored: exec %d".formatted(i));
    }
    writer.warning(pod, "first", "Unhealthy", "another container");

    Await.until("all are told", () -> told("another container") == 1);
    assertThat(events()).hasSize(11);
    assertThat(told("(combined from similar events): Liveness probe errored: exec 15"))
        .isEqualTo(6);
  }

  @Test
  void whatHappensAllTheTimeIsWrittenNowAndThen() {
    for (int i = 1; i <= 100; i++) {
      writer.warning(pod, "main", "Unhealthy", "Readiness probe failed");
    }
    writer.warning(pod, "main", "Odd", "something new");
    Await.until("all are told", () -> told("something new") == 1);
    assertThat(told("Readiness probe failed")).isEqualTo(26);

    time.advance(Duration.ofMinutes(5));
    writer.warning(pod, "main", "Unhealthy", "Readiness probe failed");

    Await.until("it is counted", () -> told("Readiness probe failed") == 101);
  }

  /// How often that was told.
  private int told(String message) {
    return events().stream()
        .filter(event -> event.path("message").asText().equals(message))
        .mapToInt(event -> event.path("count").asInt())
        .sum();
  }

  @Test
  void eventsWaitForAServerThatIsAway() {
    var away = api.mute(_ -> true);
    writer.normal(pod, "", "Odd", "while nobody listened");
    Await.until("the writer waits", () -> time.pendingCount() == 1);
    away.close();

    time.advance(Duration.ofSeconds(10));

    Await.until("it is told", () -> events().size() == 1);
    assertThat(events().getFirst().path("lastTimestamp").asText())
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void eventsWaitForAServerThatHasNoTime(int code) {
    var busy = api.refuse(_ -> true, code, "");
    writer.normal(pod, "", "Odd", "while all were busy");
    Await.until("the writer waits", () -> time.pendingCount() == 1);
    busy.close();

    time.advance(Duration.ofSeconds(10));

    Await.until("it is told", () -> events().size() == 1);
  }

  @Test
  void eventsOfOneMomentAreListedAsTheyHappened() {
    List<String> happened = List.of("Scheduled", "Pulled", "Created", "Started", "Killing");

    happened.forEach(reason -> writer.normal(pod, "", reason, "it is"));

    Await.until("all are told", () -> events().size() == 5);
    assertThat(events())
        .isSortedAccordingTo(Comparator.comparing(event -> event.at("/metadata/name").asText()))
        .extracting(event -> event.path("reason").asText())
        .containsExactlyElementsOf(happened);
  }

  @Test
  void eventsOfTheNodeAreFoundByItsName() {
    writer.publish(false, "Starting", "Starting kubelet.");

    Await.until("it is told", () -> events().size() == 1);
    assertThat(events().getFirst().path("involvedObject").toString())
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"node-1\",\"uid\":\"node-1\"}");
    assertThat(events().getFirst().at("/metadata/namespace").asText()).isEqualTo("default");
    assertThat(events().getFirst().path("type").asText()).isEqualTo("Normal");
  }

  @Test
  void eventsNameTheListInWhichTheirContainerIs() {
    List.of("first", "main", "debugger").forEach(name -> writer.normal(pod, name, "Odd", "it is"));

    Await.until("all are told", () -> events().size() == 3);
    assertThat(events())
        .extracting(event -> event.at("/involvedObject/fieldPath").asText())
        .containsExactlyInAnyOrder(
            "spec.initContainers{first}",
            "spec.containers{main}",
            "spec.ephemeralContainers{debugger}");
  }
}
