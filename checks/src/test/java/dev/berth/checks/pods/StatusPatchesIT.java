package dev.berth.checks.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.status.StatusWriter;
import dev.berth.api.pods.PodView;
import dev.berth.api.pods.QosClass;
import dev.berth.checks.TestCluster;
import dev.berth.client.ApiClient;
import dev.berth.client.Backoff;
import dev.berth.client.ClientConfig;
import dev.berth.client.DelayedActions;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent's patches of statuses, sent to the real server.
class StatusPatchesIT {
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final ObjectKey KEY = new ObjectKey("default", "web");
  private static final JsonMapper JSON = new JsonMapper();
  private static final String CONTAINER = "\"containers\":[{\"name\":\"main\",\"image\":\"a:1\"}]";

  @TempDir private Path directory;
  private final DelayedActions delays = DelayedActions.realTime();
  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private TestCluster cluster;
  private ApiClient client;
  private ResourceClient<ObjectNode> pods;

  @BeforeEach
  void start() throws IOException {
    cluster = TestCluster.withoutControllers(directory);
    client = ApiClient.open(ClientConfig.fromKubeconfig(cluster.kubeconfig()));
    pods = client.json(ResourceType.PODS);
  }

  @AfterEach
  void stop() {
    delays.close();
    client.close();
    cluster.close();
  }

  private static ObjectNode json(String text) throws IOException {
    return (ObjectNode) JSON.readTree(text);
  }

  private ObjectNode create(String spec) throws IOException {
    return pods.create(
        json(
            "{\"metadata\":{\"name\":\"web\",\"namespace\":\"default\"},\"spec\":{\"nodeName\":\"n\",%s}}"
                .formatted(spec)));
  }

  private StatusWriter writer(JsonNode pod) {
    return new StatusWriter(
        pods,
        KEY,
        pod.at("/metadata/uid").asText(),
        pod.path("status"),
        delays,
        new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), new Random(1)),
        new StatusWriter.Listener() {
          @Override
          public void settled() {}

          @Override
          public void refused(String why) {
            refusals.add(why);
          }
        });
  }

  private void publish(StatusWriter writer, String status) throws Exception {
    writer.publish(json(status));
    await(writer::isSettled);
  }

  private void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("refusals: %s", refusals).isLessThan(end);
      LockSupport.parkNanos(20_000_000);
    }
  }

  @Test
  void addressesOfTheNodeMayChange() throws Exception {
    StatusWriter writer = writer(create(CONTAINER));
    String running = "{\"phase\":\"Running\",\"qosClass\":\"BestEffort\",";
    publish(
        writer,
        running
            + "\"hostIP\":\"192.0.2.1\",\"hostIPs\":[{\"ip\":\"192.0.2.1\"},{\"ip\":\"2001:db8::1\"}],"
            + "\"podIP\":\"10.0.0.1\",\"podIPs\":[{\"ip\":\"10.0.0.1\"},{\"ip\":\"2001:db8:1::1\"}]}");
    assertThat(pods.get(KEY).at("/status/hostIPs")).hasSize(2);

    publish(
        writer,
        running
            + "\"hostIP\":\"192.0.2.2\",\"hostIPs\":[{\"ip\":\"192.0.2.2\"},{\"ip\":\"2001:db8::1\"}],"
            + "\"podIP\":\"10.0.0.2\",\"podIPs\":[{\"ip\":\"10.0.0.2\"}]}");

    JsonNode status = pods.get(KEY).path("status");
    assertThat(status.path("hostIP").asText()).isEqualTo("192.0.2.2");
    assertThat(status.path("hostIPs"))
        .hasToString("[{\"ip\":\"192.0.2.2\"},{\"ip\":\"2001:db8::1\"}]");
    assertThat(status.path("podIPs")).hasToString("[{\"ip\":\"10.0.0.2\"}]");
    assertThat(refusals).isEmpty();
  }

  @Test
  void resourcesOfThePodCountForItsClass() throws Exception {
    ObjectNode pod =
        create("\"resources\":{\"limits\":{\"cpu\":\"1\",\"memory\":\"64Mi\"}}," + CONTAINER);
    String computed = QosClass.of(PodView.of(pod.path("spec"))).toString();
    assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Guaranteed").isEqualTo(computed);
    StatusWriter writer = writer(pod);

    publish(writer, "{\"phase\":\"Running\",\"qosClass\":\"%s\"}".formatted(computed));

    assertThat(pods.get(KEY).at("/status/phase").asText()).isEqualTo("Running");
    assertThat(refusals).isEmpty();
    // What the agent sent when it looked at containers only: refused, and reported once.
    writer.publish(json("{\"phase\":\"Failed\",\"qosClass\":\"BestEffort\"}"));
    await(() -> !refusals.isEmpty());
    await(() -> !writer.isEndDelayed());
    assertThat(refusals).singleElement().asString().contains("status.qosClass");
    assertThat(pods.get(KEY).at("/status/phase").asText()).isEqualTo("Running");
  }

  @Test
  void aSuccessorOfTheSameNameKeepsItsOwnStatus() throws Exception {
    StatusWriter first = writer(create(CONTAINER));
    publish(first, "{\"phase\":\"Running\",\"qosClass\":\"BestEffort\"}");
    pods.delete(KEY, DeleteOptions.DEFAULT.withGracePeriod(0));
    StatusWriter second = writer(create(CONTAINER));

    publish(first, "{\"phase\":\"Failed\",\"reason\":\"Gone\",\"qosClass\":\"BestEffort\"}");

    assertThat(refusals).as("the first pod has no status any more").isEmpty();
    assertThat(pods.get(KEY).at("/status/phase").asText()).isEqualTo("Pending");
    publish(second, "{\"phase\":\"Running\",\"qosClass\":\"BestEffort\"}");
    assertThat(pods.get(KEY).at("/status/phase").asText()).isEqualTo("Running");
    assertThat(refusals).isEmpty();
  }
}
