package dev.berth.agent.pods.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ApiClient;
import dev.berth.client.Backoff;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a pod's status in the API becomes when others write it, too.
final class StatusWriterTest {
  private static final ObjectKey KEY = new ObjectKey("default", "web");

  private static final String WITH_ADDRESS =
      "{'phase': '%s', 'podIP': '10.0.0.1', 'containerStatuses': [{'name': 'c'}]}";

  private final ManualTime time = new ManualTime(Instant.parse("2026-01-02T03:04:05Z"));
  private final FakeApi api =
      new FakeApi(List.of(ResourceType.NAMESPACES, ResourceType.PODS), time);
  private final ResourceClient<ObjectNode> pods = new ApiClient(api).json(ResourceType.PODS);
  private final AtomicInteger writes = new AtomicInteger();
  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private StatusWriter writer;

  @BeforeEach
  void setUp() throws Exception {
    api.createNamespace("default");
    ObjectNode pod = pods.create(json("{'metadata': {'name': 'web', 'namespace': 'default'}}"));
    writer =
        new StatusWriter(
            pods,
            KEY,
            pod.at("/metadata/uid").asText(),
            json("{}"),
            time,
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), new Random(1)),
            new StatusWriter.Listener() {
              @Override
              public void settled() {}

              @Override
              public void refused(String why) {
                refusals.add(why);
              }
            });
    api.onRequest(
        request -> {
          if (request.method().equals("PATCH")) {
            writes.incrementAndGet();
          }
        });
  }

  @Test
  void whatOthersMadeOfItIsCorrected() throws Exception {
    publish(status("True", 0));
    JsonNode old = pod();
    write("{'status': {'conditions': [{'type': 'Ready', 'status': 'False'}]}}");

    seen(pod());
    time.advance(Duration.ofSeconds(1));
    Await.until("it is corrected", () -> ready().equals("True"));

    Await.until("all is told", writer::isSettled);
    int before = writes.get();
    seen(old);
    seen(pod());
    assertThat(writer.isSettled()).isTrue();
    assertThat(writes.get()).isEqualTo(before);
  }

  @Test
  void whatOthersMadeOfItWhileTheServerWasAwayIsCorrected() throws Exception {
    publish(status("True", 0));
    try (FakeApi.Lift _ = api.mute(request -> request.target().endsWith("/status"))) {
      writer.publish(status("True", 1));
      Await.until("it was tried", () -> time.pendingCount() == 1);
      write("{'status': {'conditions': [{'type': 'Ready', 'status': 'False'}]}}");
    }

    time.advance(Duration.ofSeconds(2));
    Await.until("all is told", writer::isSettled);

    assertThat(ready()).isEqualTo("True");
    assertThat(pod().at("/status/containerStatuses/0/restartCount").asInt()).isOne();
  }

  @Test
  void aPodThatOthersEndedIsNotBroughtBack() throws Exception {
    publish(status("True", 0));
    write("{'status': {'phase': 'Failed'}}");

    seen(pod());

    assertThat(writer.isSettled()).isTrue();
  }

  @Test
  void aConflictOfWritersIsNotTheEndOfThePod() throws Exception {
    try (FakeApi.Lift _ =
        api.refuse(request -> request.target().endsWith("/status"), 409, "Conflict")) {
      writer.publish(status("True", 0));
      Await.until("it was tried", () -> time.pendingCount() == 1);
    }

    time.advance(Duration.ofSeconds(2));
    Await.until("it is written", () -> ready().equals("True"));
  }

  @Test
  void aRefusedStatusIsReportedOnceAndSentLessAndLessOften() throws Exception {
    try (FakeApi.Lift _ =
        api.refuse(request -> request.target().endsWith("/status"), 422, "Invalid")) {
      writer.publish(status("True", 0));
      Await.until("the end need not wait", () -> !writer.isEndDelayed());
      int attempts = passAnHour();

      assertThat(attempts).isBetween(25, 40);
      assertThat(refusals).containsExactly("made to fail");
      assertThat(writer.isSettled()).isFalse();
    }
    time.advance(Duration.ofMinutes(3));
    Await.until("it is written", () -> ready().equals("True"));
    assertThat(writer.isEndDelayed()).isFalse();
  }

  /// How many attempts there were.
  private int passAnHour() {
    for (int minute = 0; minute < 60; minute++) {
      time.advance(Duration.ofMinutes(1));
      Await.until("the next attempt is planned", () -> time.pendingCount() == 1);
    }
    return writes.get();
  }

  @Test
  void aServerWithoutTimeDelaysTheEndOnlyForSomeAttempts() throws Exception {
    try (FakeApi.Lift _ =
        api.refuse(request -> request.target().endsWith("/status"), 503, "ServiceUnavailable")) {
      writer.publish(status("True", 0));
      Await.until("it was tried", () -> time.pendingCount() == 1);
      assertThat(writer.isEndDelayed()).isTrue();

      Await.until(
          "the end does not wait any more",
          () -> {
            time.advance(Duration.ofSeconds(2));
            return !writer.isEndDelayed();
          });
      assertThat(writes.get()).isGreaterThanOrEqualTo(5);
      assertThat(refusals).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"422, Invalid", "409, Conflict"})
  void aSuccessorOfTheSameNameMeansThatThePodIsGone(int code, String reason) throws Exception {
    api.delete(ResourceType.PODS, KEY, "");
    pods.create(json("{'metadata': {'name': 'web', 'namespace': 'default'}}"));
    try (FakeApi.Lift _ =
        api.refuse(request -> request.target().endsWith("/status"), code, reason)) {
      writer.publish(status("True", 0));

      Await.until("nothing is left to tell", writer::isSettled);
    }
    assertThat(writes.get()).isEqualTo(1);
    assertThat(refusals).isEmpty();
  }

  @Test
  void addressesThatChangedReplaceTheOldOnes() throws Exception {
    publish(json("{'hostIP': '192.0.2.1', 'hostIPs': [{'ip': '192.0.2.1'}, {'ip': 'fd00::1'}]}"));
    publish(json("{'hostIP': '192.0.2.2', 'hostIPs': [{'ip': '192.0.2.2'}]}"));

    assertThat(pod().at("/status/hostIPs")).hasToString("[{\"ip\":\"192.0.2.2\"}]");
  }

  @Test
  void theNetworkOfAPodIsToldTogetherWithItsStart() throws Exception {
    publish(json("{'phase': 'Pending', 'containerStatuses': [{'name': 'c'}]}"));
    writer.publish(json(WITH_ADDRESS.formatted("Pending")));

    publish(json(WITH_ADDRESS.formatted("Running")));

    assertThat(pod().at("/status/podIP").asText()).isEqualTo("10.0.0.1");
    time.advance(Duration.ofSeconds(1));
    assertThat(writer.isSettled()).isTrue();
    assertThat(writes.get()).isEqualTo(2);
  }

  @Test
  void theNetworkOfAPodThatDoesNotStartIsToldInAMoment() throws Exception {
    publish(json("{'phase': 'Pending', 'containerStatuses': [{'name': 'c'}]}"));

    writer.publish(json(WITH_ADDRESS.formatted("Pending")));
    time.advance(Duration.ofMillis(500));

    Await.until("it is told", writer::isSettled);
    assertThat(pod().at("/status/podIP").asText()).isEqualTo("10.0.0.1");
  }

  private void publish(ObjectNode status) {
    writer.publish(status);
    Await.until("all is told", writer::isSettled);
  }

  private void write(String change) throws IOException {
    pods.patch(KEY, ObjectPatch.strategic(json(change)));
  }

  private void seen(JsonNode pod) {
    writer.seen(pod.path("status"), pod.at("/metadata/resourceVersion").asText());
  }

  private JsonNode pod() {
    return api.find(ResourceType.PODS, KEY).orElseThrow();
  }

  private String ready() {
    return pod().at("/status/conditions/0/status").asText();
  }

  private static ObjectNode status(String ready, int restarts) throws IOException {
    return json(
        """
        {'phase': 'Running', 'conditions': [{'type': 'Ready', 'status': '%s'}],
         'containerStatuses': [{'name': 'main', 'ready': true, 'restartCount': %d}]}"""
            .formatted(ready, restarts));
  }

  private static ObjectNode json(String text) throws IOException {
    return (ObjectNode) new JsonMapper().readTree(text.replace('\'', '"'));
  }
}
