package dev.berth.controllers.loops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.TruncatedText;
import dev.berth.client.ClientException;
import dev.berth.client.EventSuffixes;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/// Tells events on behalf of one controller.
public final class ControllerEvents {
  /// Where events of objects without a namespace are.
  private static final String DEFAULT = "default";

  private final ResourceClient<ObjectNode> events;
  private final InstantSource clock;
  private final EventSuffixes suffixes;
  private final String component;

  /// @param component as `kubectl describe` shows it
  public ControllerEvents(ControllerContext context, String component) {
    this.events = context.client().json(ResourceType.EVENTS);
    this.clock = context.clock();
    this.suffixes = new EventSuffixes(context.clock());
    this.component = component;
  }

  public void normal(JsonNode about, String reason, String message) {
    tell(about, "Normal", reason, message);
  }

  public void warning(JsonNode about, String reason, String message) {
    tell(about, "Warning", reason, message);
  }

  private void tell(JsonNode about, String type, String reason, String message) {
    JsonNode metadata = about.path("metadata");
    String namespace = metadata.path("namespace").asText();
    String name = metadata.path("name").asText();
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "v1").put("kind", "Event");
    event
        .putObject("metadata")
        .put("namespace", namespace.isEmpty() ? DEFAULT : namespace)
        .put("name", name + "." + suffixes.next());
    ObjectNode involved = event.putObject("involvedObject");
    involved
        .put("apiVersion", about.path("apiVersion").asText())
        .put("kind", about.path("kind").asText());
    if (!namespace.isEmpty()) {
      involved.put("namespace", namespace);
    }
    involved.put("name", name).put("uid", metadata.path("uid").asText());
    event.put("type", type).put("reason", reason);
    event.put("message", TruncatedText.of(message, TruncatedText.EVENT));
    event.put("count", 1).put("firstTimestamp", now).put("lastTimestamp", now);
    event.putObject("source").put("component", component);
    event.put("reportingComponent", component).put("reportingInstance", "");
    try {
      events.create(event);
    } catch (ClientException _) {
      // What was done counts more than that it is told; its namespace may be going.
    }
  }
}
