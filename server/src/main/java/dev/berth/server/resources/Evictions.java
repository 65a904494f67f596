package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.Status;

/// POST of an Eviction: a polite delete. Disruption budgets are not served, so none can forbid it.
public final class Evictions {
  private final Deleter deleter;

  public Evictions(Deleter deleter) {
    this.deleter = deleter;
  }

  public Answer evict(Target target, Body body, Query query) {
    JsonNode options = body.tree().path("deleteOptions");
    DeleteOptions parsed =
        DeleteOptions.parse(options instanceof ObjectNode object ? object : null, query);
    deleter.delete(target, parsed);
    return new Answer.Done(201, new Status(201, "", "", Status.Details.ABSENT));
  }
}
