package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.resources.requests.DeleteOptions;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.schema.ObjectType;

/// POST of an Eviction: deletes a pod with a condition. Disruption budgets are not served, so none
/// blocks it.
///
/// The condition `DisruptionTarget` is written together with the deletion mark, so that controllers
/// see the reason as soon as they see the deletion.
public final class EvictionVerb {
  private static final PodCondition EVICTED =
      new PodCondition("DisruptionTarget", "EvictionByEvictionAPI", "Eviction API: evicting");

  private static final String OLD_VERSION = "policy/v1beta1";

  private final DeleteVerb deleter;
  private final BodyDecoder bodies;
  private final BodyType type;
  private final BodyType oldType;

  EvictionVerb(DeleteVerb deleter, BodyDecoder bodies, ObjectType type) {
    this.deleter = deleter;
    this.bodies = bodies;
    this.type = BodyType.of("policy/v1", type);
    this.oldType = BodyType.of(OLD_VERSION, type);
  }

  public VerbAnswer evict(
      RequestTarget target, RequestBody body, RequestQuery query, WriteOptions options) {
    // Upstream still accepts policy/v1beta1.
    boolean old = body.tree().path("apiVersion").asText().equals(OLD_VERSION);
    ObjectNode eviction =
        bodies.decode(old ? oldType : type, body, options.fieldValidation(), target.warnings());
    String name = ObjectMetadata.text(eviction, "name");
    if (!name.isEmpty() && !name.equals(target.name())) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    deleter.delete(target, options(eviction, query), pod -> EVICTED.setTrue(pod, target.now()));
    return new VerbAnswer.Done(201, new ApiStatus(201, "", "", ApiStatus.Details.ABSENT));
  }

  /// The delete options are in the body; a dry run may also be requested in the query.
  private static DeleteOptions options(ObjectNode eviction, RequestQuery query) {
    DeleteOptions asked = DeleteOptions.parse(null, query);
    JsonNode options = eviction.path("deleteOptions");
    return options instanceof ObjectNode object
        ? DeleteOptions.parse(object, query).orDryRun(asked.dryRun())
        : asked;
  }
}
