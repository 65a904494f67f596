package dev.berth.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListPage;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectList;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes events one hour after their last occurrence. Upstream's server lets etcd expire them;
/// this store has no leases, and this loop also works on an upstream server.
final class EventExpiry implements ControllerLoop {
  private static final Logger log = LoggerFactory.getLogger(EventExpiry.class);
  // Upstream's default of `--event-ttl`.
  private static final Duration LIFETIME = Duration.ofHours(1);
  // An event thus stays up to two minutes longer than its lifetime.
  private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(2);

  /// Events per page: a cluster may have more events than other objects, so they are never all in
  /// memory.
  private static final int PAGE = 500;

  private final ResourceClient<ObjectNode> events;
  private final InstantSource clock;
  private final ReconcileLoop<String> loop;

  EventExpiry(ControllerContext context) {
    this.events = context.client().json(ResourceType.EVENTS);
    this.clock = context.clock();
    WorkQueue<String> queue = context.queue();
    queue.add("all");
    this.loop = ReconcileLoop.start("event-expiry", queue, 1, Readiness.of(), _ -> sweep());
  }

  /// Goes through all events once, and again after an interval. A cache of events would be large
  /// and is needed for nothing else.
  private Outcome sweep() {
    Instant now = clock.instant();
    ListPage page = ListPage.first(PAGE);
    int removed = 0;
    while (true) {
      ObjectList<ObjectNode> part = events.list(ListQuery.ALL, page);
      for (ObjectNode event : part.items()) {
        if (lastHappened(event, now).isBefore(now.minus(LIFETIME))) {
          remove(event);
          removed++;
        }
      }
      // All pages show one revision. If it is compacted meanwhile, the list fails with 410, and the
      // loop repeats the sweep from its beginning after a back-off.
      if (part.continueToken().isEmpty()) {
        log.debug("events expired count={}", removed);
        return new Outcome.LookAgain(BETWEEN_SWEEPS);
      }
      page = page.after(part.continueToken());
    }
  }

  /// Deletes an event only if it is unchanged: a new occurrence in between keeps it.
  private void remove(ObjectNode event) {
    JsonNode metadata = event.path("metadata");
    try {
      events.delete(
          events.codec().key(event),
          DeleteOptions.ofUid(metadata.path("uid").asText())
              .ifUnchangedSince(metadata.path("resourceVersion").asText()));
    } catch (ApiException e) {
      // The event is gone, or it occurred again meanwhile and stays.
      if (!e.isNotFound() && !e.isConflict()) {
        throw e;
      }
    }
  }

  /// The newest timestamp of an event; an event without timestamps is kept. Timestamps in the
  /// future come from a wrong clock and would keep the event too long; the server's own timestamps
  /// count then.
  private static Instant lastHappened(ObjectNode event, Instant now) {
    JsonNode metadata = event.path("metadata");
    Stream<JsonNode> happened =
        Stream.of(
            metadata.path("creationTimestamp"),
            event.path("eventTime"),
            event.path("lastTimestamp"),
            event.path("series").path("lastObservedTime"));
    Stream<JsonNode> written =
        metadata.path("managedFields").valueStream().map(entry -> entry.path("time"));
    return Stream.concat(happened, written)
        .map(JsonNode::asText)
        .flatMap(EventExpiry::parse)
        .filter(time -> !time.isAfter(now))
        .max(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  private static Stream<Instant> parse(String text) {
    try {
      return Stream.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Stream.empty();
    }
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }
}
