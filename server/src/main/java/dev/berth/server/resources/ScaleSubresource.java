package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.FieldManager;
import dev.berth.server.fields.FieldSet;
import dev.berth.server.fields.ScaleFields;
import dev.berth.server.fields.ServedVersions;
import dev.berth.server.fields.WriteContext;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.patch.JsonPatch;
import dev.berth.server.patch.MergePatch;
import dev.berth.server.patch.StrategicMergePatch;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.StrictProblems;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.store.StoreEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// The `scale` subresource: reads and sets the replicas of a workload through a Scale.
///
/// A write goes through `UpdateVerb` like any other update of the workload, so validation,
/// admission and preconditions are those of the workload. The resourceVersion and uid of the Scale
/// are those of the workload.
public final class ScaleSubresource {
  private static final ApiException.Resource SCALE =
      new ApiException.Resource("autoscaling", "scales", "Scale");

  private static final String VERSION = "autoscaling/v1";

  private final ObjectStore store;
  private final UpdateVerb updater;
  private final BodyDecoder bodies;
  private final BodyType type;
  private final FieldManager owners;

  ScaleSubresource(
      ObjectStore store, UpdateVerb updater, BodyDecoder bodies, ObjectType scaleType) {
    this.store = store;
    this.updater = updater;
    this.bodies = bodies;
    this.type = BodyType.of(VERSION, scaleType);
    this.owners = new FieldManager(ServedVersions.only(VERSION, scaleType));
  }

  public VerbAnswer get(RequestTarget target) {
    store.freshness().awaitNewest();
    StoreEntry<StoredObject> entry = store.get(target.kind(), target.namespace(), target.name());
    return new VerbAnswer.Other(200, scaleOf(entry.value().tree()));
  }

  public VerbAnswer put(RequestTarget target, RequestBody body, WriteOptions options) {
    ObjectNode sent = bodies.decode(type, body, options.fieldValidation(), target.warnings());
    UpdateVerb.requireName(target, sent);
    return write(target, options, (_, ownership) -> ownership.update(sent));
  }

  public VerbAnswer patch(RequestTarget target, PatchBody patch, WriteOptions options) {
    return write(
        target,
        options,
        (scale, ownership) ->
            patch.type() == PatchBody.Type.APPLY
                ? ownership.apply(PatchVerb.requireObject(patch), options.force())
                : ownership.update(patched(target, scale, patch, options)));
  }

  private ObjectNode patched(
      RequestTarget target, ObjectNode scale, PatchBody patch, WriteOptions options) {
    ObjectNode changed = changed(scale.deepCopy(), patch);
    PatchVerb.requireType(bodies, type, patch, changed);
    List<String> unknown = new ArrayList<>();
    Function<String, ApiException> refusal = why -> PatchVerb.invalidPatch(patch, changed, why);
    ObjectNode normal = BodyDecoder.normal(type.type(), changed, unknown, refusal);
    BodyDecoder.report(
        StrictProblems.ofPatch(patch, unknown),
        options.fieldValidation(),
        target.warnings(),
        refusal);
    return normal;
  }

  /// Changes a scale, including its managed fields.
  private interface ScaleChange {
    ObjectNode apply(ObjectNode scale, Ownership ownership);
  }

  /// The managed fields of one scale.
  private record Ownership(FieldManager manager, ObjectNode scale, WriteContext context) {
    ObjectNode update(ObjectNode changed) {
      return manager.update(scale, changed, context);
    }

    ObjectNode apply(ObjectNode applied, boolean force) {
      return manager.apply(scale, applied, context, force).object();
    }
  }

  private VerbAnswer write(RequestTarget target, WriteOptions options, ScaleChange change) {
    WriteContext context =
        new WriteContext(
            options.fieldManager(),
            VERSION,
            target.subresource(),
            target.now(),
            type.type(),
            FieldSet.of("status"));
    VerbAnswer answer =
        updater.modify(
            target,
            options,
            new UpdateVerb.Change() {
              @Override
              public ObjectNode apply(ObjectNode live) {
                ObjectNode scale = scaleOf(live);
                Ownership ownership = new Ownership(owners, owned(scale, live), context);
                return scaled(target, live, change.apply(scale, ownership));
              }

              @Override
              public boolean ownersNoted() {
                return true;
              }
            });
    return switch (answer) {
      case VerbAnswer.Stored(int code, StoreEntry<StoredObject> entry) ->
          new VerbAnswer.Other(code, scaleOf(entry.value().tree()));
      case VerbAnswer.Tree(int code, ObjectNode object) ->
          new VerbAnswer.Other(code, scaleOf(object));
      case VerbAnswer.Other _, VerbAnswer.Listing _, VerbAnswer.Done _ -> answer;
    };
  }

  /// The scale in normal form, so that absent and zero replicas are the same to managed fields.
  private ObjectNode owned(ObjectNode scale, ObjectNode live) {
    try {
      ObjectNode normal = new TreeNormalizer(new ArrayList<>()).normalize(type.type(), scale);
      JsonNode entries = live.path("metadata").get("managedFields");
      ObjectMetadata.of(normal).set("managedFields", ScaleFields.toScale(entries));
      return normal;
    } catch (WrongTypeException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode scaled(RequestTarget target, ObjectNode live, ObjectNode scale) {
    ObjectNode object = live.deepCopy();
    object.withObjectProperty("spec").set("replicas", replicas(target, scale));
    ObjectNode metadata = ObjectMetadata.of(object);
    metadata.put("resourceVersion", ObjectMetadata.text(scale, "resourceVersion"));
    metadata.put("uid", ObjectMetadata.text(scale, "uid"));
    ArrayNode entries =
        ScaleFields.toParent(
            live.path("metadata").get("managedFields"),
            scale.path("metadata").get("managedFields"),
            target.version().apiVersion());
    metadata.set("managedFields", entries);
    return object;
  }

  private ObjectNode changed(ObjectNode scale, PatchBody patch) {
    return switch (patch.type()) {
      case JSON -> JsonPatch.apply(patch.patch(), scale);
      case MERGE -> MergePatch.apply(patch.patch(), scale);
      case APPLY -> throw new IllegalArgumentException("apply is not a patch of this sort");
      case STRATEGIC ->
          StrategicMergePatch.apply(type.type(), scale, PatchVerb.requireObject(patch));
    };
  }

  /// An absent number is zero, as for upstream's decoder.
  private static JsonNode replicas(RequestTarget target, ObjectNode scale) {
    JsonNode replicas = scale.path("spec").path("replicas");
    if (replicas.asLong() < 0) {
      FieldErrors errors = new FieldErrors();
      errors.invalid(
          FieldPath.of("spec").child("replicas"),
          replicas.asLong(),
          "must be greater than or equal to 0");
      throw ApiException.invalid(SCALE, target.name(), errors.toList());
    }
    return replicas.isMissingNode() ? JsonTrees.object().numberNode(0) : replicas;
  }

  private static ObjectNode scaleOf(ObjectNode workload) {
    ObjectNode scale = JsonTrees.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    ObjectNode metadata = scale.putObject("metadata");
    for (String field :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      metadata.set(field, workload.path("metadata").path(field));
    }
    scale.putObject("spec").put("replicas", workload.path("spec").path("replicas").asInt());
    scale
        .putObject("status")
        .put("replicas", workload.path("status").path("replicas").asInt())
        .put("selector", selectorText(workload.path("spec").path("selector")));
    return scale;
  }

  /// The label selector in its string form: `a=b,c in (d,e)`.
  static String selectorText(JsonNode selector) {
    List<String> terms = new ArrayList<>();
    Map<String, String> labels = new TreeMap<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    labels.forEach((key, value) -> terms.add(key + "=" + value));
    for (JsonNode expression : selector.path("matchExpressions")) {
      String key = expression.path("key").asText();
      List<String> values = new ArrayList<>();
      expression.path("values").forEach(value -> values.add(value.asText()));
      terms.add(
          switch (expression.path("operator").asText()) {
            case "In" -> key + " in (" + String.join(",", values) + ")";
            case "NotIn" -> key + " notin (" + String.join(",", values) + ")";
            case "DoesNotExist" -> "!" + key;
            default -> key;
          });
    }
    return String.join(",", terms);
  }
}
