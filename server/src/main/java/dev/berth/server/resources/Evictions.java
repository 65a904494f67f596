package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.Status;

/// POST of an Eviction: a polite delete. Disruption budgets are not served, so none can forbid it.
public final class Evictions {
  private static final PodCondition EVICTED =
      new PodCondition("DisruptionTarget", "EvictionByEvictionAPI", "Eviction API: evicting");

  private final Deleter deleter;

  public Evictions(Deleter deleter) {
    this.deleter = deleter;
  }

  public Answer evict(Target target, Body body, Query query) {
    String name = Metadata.text(body.tree(), "name");
    if (!name.isEmpty() && !name.equals(target.name())) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    deleter.delete(target, options(body, query), pod -> EVICTED.setTrue(pod, target.now()));
    return new Answer.Done(201, new Status(201, "", "", Status.Details.ABSENT));
  }

  /// The body says how to delete; a trial may be asked for in the query as well.
  private static DeleteOptions options(Body body, Query query) {
    DeleteOptions asked = DeleteOptions.parse(null, query);
    JsonNode options = body.tree().path("deleteOptions");
    return options instanceof ObjectNode object
        ? DeleteOptions.parse(object, query).orDryRun(asked.dryRun())
        : asked;
  }
}
