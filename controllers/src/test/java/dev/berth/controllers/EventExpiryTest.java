package dev.berth.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import dev.berth.controllers.loops.ControllerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EventExpiryTest {
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T12:00:00Z"));
  private final FakeApi server =
      new FakeApi(List.of(ResourceType.NAMESPACES, ResourceType.EVENTS), time);
  private final ControllerContext context =
      new ControllerContext(new ApiClient(server), time, time, new Random(1));

  @Test
  void eventsGoAnHourAfterTheyLastHappened() {
    server.createNamespace("default");
    for (int i = 0; i < 1200; i++) {
      server.create(ResourceType.EVENTS, TestCluster.object("default", "old-" + i));
    }
    ObjectNode repeated = TestCluster.object("default", "repeated");
    repeated.put("lastTimestamp", "2026-01-01T12:30:00Z");
    server.create(ResourceType.EVENTS, repeated);
    time.advance(Duration.ofMinutes(58));
    server.create(ResourceType.EVENTS, TestCluster.object("default", "new"));

    try (EventExpiry _ = new EventExpiry(context)) {
      Await.until(() -> time.pendingCount() == 1);
      assertThat(server.list(ResourceType.EVENTS)).hasSize(1202);

      // The next two sweeps are at 13:00 and 13:02.
      time.advance(Duration.ofMinutes(2));
      Await.until(() -> time.pendingCount() == 1);
      time.advance(Duration.ofMinutes(2));

      Await.untilAsserted(
          () ->
              assertThat(server.list(ResourceType.EVENTS))
                  .extracting(event -> event.at("/metadata/name").asText())
                  .containsExactly("new", "repeated"));
    }
  }

  @Test
  void eventsOfAClockThatIsAheadGoToo() {
    server.createNamespace("default");
    ObjectNode ahead = TestCluster.object("default", "ahead");
    ahead.put("eventTime", "2099-01-01T00:00:00.000000Z");
    server.create(ResourceType.EVENTS, ahead);
    ObjectNode repeated = TestCluster.object("default", "repeated");
    repeated.put("lastTimestamp", "2099-01-01T00:00:00Z");
    repeated
        .withObjectProperty("metadata")
        .putArray("managedFields")
        .addObject()
        .put("time", "2026-01-01T13:30:00Z");
    server.create(ResourceType.EVENTS, repeated);
    time.advance(Duration.ofHours(2));

    try (EventExpiry _ = new EventExpiry(context)) {
      Await.untilAsserted(
          () ->
              assertThat(server.list(ResourceType.EVENTS))
                  .extracting(event -> event.at("/metadata/name").asText())
                  .containsExactly("repeated"));
    }
  }

  @Test
  void failedSweepIsRepeated() {
    server.createNamespace("default");
    server.create(ResourceType.EVENTS, TestCluster.object("default", "old"));
    time.advance(Duration.ofHours(2));
    var fault = server.refuse(request -> request.method().equals("DELETE"), 500, "");

    try (EventExpiry _ = new EventExpiry(context)) {
      Await.until(() -> time.pendingCount() == 1);
      fault.close();
      time.advance(Duration.ofSeconds(1));

      Await.until(() -> server.list(ResourceType.EVENTS).isEmpty());
    }
  }
}
