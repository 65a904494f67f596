package dev.berth.server.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.Context;
import dev.berth.server.fields.FieldManager;
import dev.berth.server.fields.FieldSet;
import dev.berth.server.fields.ScaleFields;
import dev.berth.server.fields.Versions;
import dev.berth.server.json.Json;
import dev.berth.server.json.Normalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.patch.JsonPatch;
import dev.berth.server.patch.MergePatch;
import dev.berth.server.patch.StrategicMergePatch;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// The `scale` subresource: the replicas of a workload, seen and set through a small object of its
/// own.
public final class Scales {
  private static final ApiException.Resource SCALE =
      new ApiException.Resource("autoscaling", "scales", "Scale");

  private static final String VERSION = "autoscaling/v1";

  private final ObjectStore store;
  private final Updater updater;
  private final BodyDecoder bodies;
  private final BodyType type;
  private final FieldManager owners;

  Scales(ObjectStore store, Updater updater, BodyDecoder bodies, ObjectType scaleType) {
    this.store = store;
    this.updater = updater;
    this.bodies = bodies;
    this.type = BodyType.of(VERSION, scaleType);
    this.owners = new FieldManager(Versions.only(VERSION, scaleType));
  }

  public Answer get(Target target) {
    store.freshness().awaitNewest();
    Entry<StoredObject> entry = store.get(target.kind(), target.namespace(), target.name());
    return new Answer.Other(200, scaleOf(entry.value().tree()));
  }

  public Answer put(Target target, Body body, WriteOptions options) {
    ObjectNode sent = bodies.decode(type, body, options.fieldValidation(), target.warnings());
    Updater.requireName(target, sent);
    return write(target, options, (_, ownership) -> ownership.update(sent));
  }

  public Answer patch(Target target, PatchBody patch, WriteOptions options) {
    return write(
        target,
        options,
        (scale, ownership) ->
            patch.type() == PatchBody.Type.APPLY
                ? ownership.apply(Patcher.requireObject(patch), options.force())
                : ownership.update(patched(target, scale, patch, options)));
  }

  private ObjectNode patched(
      Target target, ObjectNode scale, PatchBody patch, WriteOptions options) {
    ObjectNode changed = changed(scale.deepCopy(), patch);
    Patcher.requireType(bodies, type, patch, changed);
    List<String> unknown = new ArrayList<>();
    Function<String, ApiException> refusal = why -> Patcher.invalidPatch(patch, changed, why);
    ObjectNode normal = BodyDecoder.normal(type.type(), changed, unknown, refusal);
    BodyDecoder.report(
        StrictProblems.ofPatch(patch, unknown),
        options.fieldValidation(),
        target.warnings(),
        refusal);
    return normal;
  }

  /// From a scale to the scale that shall be, its owners noted.
  private interface ScaleChange {
    ObjectNode apply(ObjectNode scale, Ownership ownership);
  }

  /// The owners of one scale's fields.
  private record Ownership(FieldManager manager, ObjectNode scale, Context context) {
    ObjectNode update(ObjectNode changed) {
      return manager.update(scale, changed, context);
    }

    ObjectNode apply(ObjectNode applied, boolean force) {
      return manager.apply(scale, applied, context, force).object();
    }
  }

  private Answer write(Target target, WriteOptions options, ScaleChange change) {
    Context context =
        new Context(
            options.fieldManager(),
            VERSION,
            target.subresource(),
            target.now(),
            type.type(),
            FieldSet.of("status"));
    Answer answer =
        updater.modify(
            target,
            options,
            new Updater.Change() {
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
      case Answer.Stored(int code, Entry<StoredObject> entry) ->
          new Answer.Other(code, scaleOf(entry.value().tree()));
      case Answer.Tree(int code, ObjectNode object) -> new Answer.Other(code, scaleOf(object));
      case Answer.Other _, Answer.Listing _, Answer.Done _ -> answer;
    };
  }

  /// The scale as its owners are noted in: in normal form, or no replicas would differ from the
  /// normal form of no replicas.
  private ObjectNode owned(ObjectNode scale, ObjectNode live) {
    try {
      ObjectNode normal = new Normalizer(new ArrayList<>()).normalize(type.type(), scale);
      JsonNode entries = live.path("metadata").get("managedFields");
      Metadata.of(normal).set("managedFields", ScaleFields.toScale(entries));
      return normal;
    } catch (WrongTypeException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode scaled(Target target, ObjectNode live, ObjectNode scale) {
    ObjectNode object = live.deepCopy();
    object.withObjectProperty("spec").set("replicas", replicas(target, scale));
    ObjectNode metadata = Metadata.of(object);
    metadata.put("resourceVersion", Metadata.text(scale, "resourceVersion"));
    metadata.put("uid", Metadata.text(scale, "uid"));
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
      case STRATEGIC -> StrategicMergePatch.apply(type.type(), scale, Patcher.requireObject(patch));
    };
  }

  private static JsonNode replicas(Target target, ObjectNode scale) {
    JsonNode replicas = scale.path("spec").path("replicas");
    if (replicas.asLong() < 0) {
      FieldErrors errors = new FieldErrors();
      errors.invalid(
          FieldPath.of("spec").child("replicas"),
          replicas.asLong(),
          "must be greater than or equal to 0");
      throw ApiException.invalid(SCALE, target.name(), errors.toList());
    }
    return replicas.isMissingNode() ? Json.object().numberNode(0) : replicas;
  }

  private static ObjectNode scaleOf(ObjectNode workload) {
    ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
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

  /// The label selector in the form that lists take: `a=b,c in (d,e)`.
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
