package dev.berth.controllers.loops;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.client.ClientException;
import dev.berth.client.ResourceType;
import dev.berth.client.events.EventRecorder;
import dev.berth.client.events.EventSource;
import dev.berth.client.events.InvolvedObject;

/// Records events on behalf of one controller. Any worker may call it. Recording never fails a
/// reconciliation.
public final class ControllerEvents {
  private final EventRecorder recorder;
  private final EventSource source;

  /// @param component as `kubectl describe` shows it
  public ControllerEvents(ControllerContext context, String component) {
    this.recorder = new EventRecorder(context.client().json(ResourceType.EVENTS), context.clock());
    this.source = EventSource.of(component);
  }

  public void normal(JsonNode about, String reason, String message) {
    write(about, false, reason, message);
  }

  public void warning(JsonNode about, String reason, String message) {
    write(about, true, reason, message);
  }

  private void write(JsonNode about, boolean isWarning, String reason, String message) {
    try {
      recorder.write(
          recorder.happened(source, InvolvedObject.of(about), isWarning, reason, message));
    } catch (ClientException _) {
      // A lost event must not fail the reconciliation; the namespace may be terminating.
    }
  }
}
