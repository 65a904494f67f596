package dev.berth.agent.node;

import static dev.berth.agent.node.TestNodes.DOWN;
import static dev.berth.agent.node.TestNodes.NOW;
import static dev.berth.agent.node.TestNodes.OPTIONS;
import static dev.berth.agent.node.TestNodes.READY;
import static dev.berth.agent.node.TestNodes.container;
import static dev.berth.agent.node.TestNodes.observed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResponse;
import dev.berth.client.ApiTransport;
import dev.berth.client.Backoff;
import dev.berth.client.DelayedActions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A server that has never heard of runtime handlers drops them from what it is told.
final class OlderServerTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final ObjectKey KEY = new ObjectKey("", "node-1");

  private final InstantSource clock = InstantSource.fixed(NOW);
  private final FakeApi api = new FakeApi(List.of(ResourceType.NODES), clock);
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private volatile ObservedNode observed =
      observed(container("a", READY, true, ServiceHandler.named("runc")));

  private final class Older implements ApiTransport {
    @Override
    public ApiResponse send(ApiRequest request) {
      if (!request.target().contains("/status")) {
        return api.send(request);
      }
      writes.incrementAndGet();
      return api.send(
          ApiRequest.of(
              request.method(),
              request.target(),
              request.accept(),
              request.contentType(),
              withoutHandlers(request.body())));
    }

    private static byte[] withoutHandlers(byte[] body) {
      try {
        ObjectNode node = (ObjectNode) MAPPER.readTree(body);
        node.withObject("/status").remove("runtimeHandlers");
        return MAPPER.writeValueAsBytes(node);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      api.close();
    }
  }

  @Test
  void itIsToldOnceNotAtEachLook() throws InterruptedException {
    try (DelayedActions delays = DelayedActions.realTime();
        ApiClient client = new ApiClient(new Older());
        NodeReporter reporter = start(client, delays)) {
      reporter.awaitUid();
      int before = looks.get();
      reporter.wake();
      Await.until("it looked", () -> looks.get() > before);
      observed = observed(container("a", DOWN, true, ServiceHandler.named("runc")));
      reporter.wake();
      Await.until("the change was told", () -> node().contains("it hangs"));
      assertThat(node()).doesNotContain("runtimeHandlers");
      assertThat(writes).as("the first status, and the change").hasValue(2);
    }
  }

  private String node() {
    return api.find(ResourceType.NODES, KEY).orElseThrow().toString();
  }

  private NodeReporter start(ApiClient client, DelayedActions delays) {
    return NodeReporter.start(
        new NodeObject(OPTIONS, "v1"),
        client,
        () -> {
          looks.incrementAndGet();
          return observed;
        },
        (_, _, _) -> {},
        clock,
        delays,
        new Backoff(Duration.ofMillis(1), Duration.ofMillis(10), new Random(1)));
  }
}
