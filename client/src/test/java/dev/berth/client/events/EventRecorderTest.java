package dev.berth.client.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EventRecorderTest {
  private static final EventSource CONTROLLER = EventSource.of("replicaset-controller");
  private static final InvolvedObject POD =
      InvolvedObject.ofPod(new ObjectKey("default", "web"), "uid-1", "");

  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final FakeApi api =
      new FakeApi(List.of(ResourceType.NAMESPACES, ResourceType.EVENTS), time);
  private final EventRecorder recorder =
      new EventRecorder(new ApiClient(api).json(ResourceType.EVENTS), time);

  @BeforeEach
  void createNamespace() {
    api.createNamespace("default");
  }

  private void record(InvolvedObject involved, String reason, String message) {
    recorder.write(recorder.happened(CONTROLLER, involved, false, reason, message));
  }

  private List<ObjectNode> events() {
    return api.list(ResourceType.EVENTS);
  }

  private int count(String message) {
    return events().stream()
        .filter(event -> event.path("message").asText().equals(message))
        .mapToInt(event -> event.path("count").asInt())
        .sum();
  }

  @Test
  void anEventNamesItsObjectAndItsSource() {
    ObjectNode set = JsonNodeFactory.instance.objectNode();
    set.put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
    set.putObject("metadata").put("namespace", "default").put("name", "rs").put("uid", "uid-2");

    record(InvolvedObject.of(set), "SuccessfulCreate", "Created pod: rs-1");

    JsonNode event = events().getFirst();
    assertThat(event.path("involvedObject"))
        .hasToString(
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"namespace\":\"default\","
                + "\"name\":\"rs\",\"uid\":\"uid-2\"}");
    assertThat(event.path("source")).hasToString("{\"component\":\"replicaset-controller\"}");
    assertThat(event.path("reportingComponent").asText()).isEqualTo("replicaset-controller");
    assertThat(event.path("reportingInstance").asText()).isEmpty();
    assertThat(event.path("type").asText()).isEqualTo("Normal");
    assertThat(event.at("/metadata/name").asText()).startsWith("rs.");
  }

  @Test
  void theSameEventAgainRaisesTheCount() {
    record(POD, "Killing", "Stopping container");
    time.advance(Duration.ofSeconds(5));
    record(POD, "Killing", "Stopping container");

    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().path("count").asInt()).isEqualTo(2);
    assertThat(events().getFirst().path("firstTimestamp").asText())
        .isEqualTo("2026-01-01T00:00:00Z");
    assertThat(events().getFirst().path("lastTimestamp").asText())
        .isEqualTo("2026-01-01T00:00:05Z");
  }

  @Test
  void theTenthSimilarEventWithinTenMinutesIsCombined() {
    for (int i = 1; i <= 12; i++) {
      record(POD, "SuccessfulCreate", "Created pod: web-" + i);
    }

    assertThat(events()).hasSize(10);
    assertThat(count("(combined from similar events): Created pod: web-12")).isEqualTo(3);

    time.advance(Duration.ofMinutes(11));
    record(POD, "SuccessfulCreate", "Created pod: web-13");

    assertThat(count("Created pod: web-13")).isEqualTo(1);
  }

  @Test
  void countsOfOneObjectAreWrittenTwentyFiveTimesAndThenEveryFiveMinutes() {
    for (int i = 1; i <= 60; i++) {
      record(POD, "BackOff", "Back-off restarting failed container");
    }
    assertThat(count("Back-off restarting failed container")).isEqualTo(26);

    InvolvedObject other = InvolvedObject.ofPod(new ObjectKey("default", "other"), "uid-2", "");
    record(other, "BackOff", "of another pod");
    record(other, "BackOff", "of another pod");
    assertThat(count("of another pod")).isEqualTo(2);

    time.advance(Duration.ofMinutes(5));
    record(POD, "BackOff", "Back-off restarting failed container");
    assertThat(count("Back-off restarting failed container")).isEqualTo(61);
  }

  @Test
  void anEventThatHasExpiredIsCreatedAgain() {
    record(POD, "Killing", "Stopping container");
    String name = events().getFirst().at("/metadata/name").asText();
    api.delete(ResourceType.EVENTS, new ObjectKey("default", name), "");

    record(POD, "Killing", "Stopping container");

    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().path("count").asInt()).isEqualTo(1);
  }

  @Test
  void sourcesAreCountedApart() {
    record(POD, "Scheduled", "assigned");
    recorder.write(
        recorder.happened(EventSource.of("other-scheduler"), POD, false, "Scheduled", "assigned"));

    assertThat(events()).hasSize(2);
  }
}
