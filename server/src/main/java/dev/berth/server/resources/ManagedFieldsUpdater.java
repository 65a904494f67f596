package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.fields.FieldManager;
import dev.berth.server.fields.FieldSet;
import dev.berth.server.fields.ServedVersions;
import dev.berth.server.fields.WriteContext;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.requests.OtherVersions;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.schema.ObjectType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Updates managed fields: converts between stored objects and the version of a request.
///
/// Stored objects have one version, requests and their field paths another one. Kinds whose served
/// versions all have the stored shape skip the conversion, and its copy of the object.
final class ManagedFieldsUpdater {
  private static final FieldSet NOTHING = FieldSet.of();
  private static final FieldSet STATUS = FieldSet.of("status");

  /// Fields that a write to `/status` cannot change, by kind.
  private static final FieldSet SPEC = FieldSet.of("spec");

  private static final FieldSet POD_STATUS =
      FieldSet.of("spec", "metadata.deletionTimestamp", "metadata.ownerReferences");
  private static final FieldSet DEPLOYMENT_STATUS = FieldSet.of("spec", "metadata.labels");

  private final Map<String, FieldManager> managers = new HashMap<>();

  ManagedFieldsUpdater(ServedKinds kinds) {
    for (ResourceKind kind : kinds.all()) {
      managers.put(kind.bucket(), new FieldManager(new KindVersions(kind)));
    }
  }

  /// Returns the object with updated managed fields after a create, update or patch.
  ObjectNode note(
      RequestTarget target, @Nullable ObjectNode live, ObjectNode object, WriteOptions options) {
    return toStored(
        target,
        manager(target)
            .update(
                live == null ? null : toServed(target, live),
                toServed(target, object),
                context(target, options)));
  }

  /// Merges an applied configuration into the live object.
  ObjectNode apply(
      RequestTarget target, @Nullable ObjectNode live, ObjectNode applied, WriteOptions options) {
    FieldManager.ApplyResult result =
        manager(target)
            .apply(
                live == null ? null : toServed(target, live),
                applied,
                context(target, options),
                options.force());
    try {
      ObjectNode normal =
          new TreeNormalizer(new ArrayList<>()).normalize(target.version().type(), result.object());
      return ObjectDecoder.toStored(target.kind(), target.version(), normal);
    } catch (WrongTypeException e) {
      throw dev.berth.server.errors.ApiException.unclassified(String.valueOf(e.getMessage()));
    }
  }

  private FieldManager manager(RequestTarget target) {
    FieldManager manager = managers.get(target.kind().bucket());
    if (manager == null) {
      throw new IllegalStateException("no field manager for " + target.kind().bucket());
    }
    return manager;
  }

  private static ObjectNode toServed(RequestTarget target, ObjectNode stored) {
    return target.version().conversion().sameShape()
        ? stored
        : ObjectDecoder.toServed(target.kind(), target.version(), stored.deepCopy());
  }

  private static ObjectNode toStored(RequestTarget target, ObjectNode served) {
    return target.version().conversion().sameShape()
        ? served
        : ObjectDecoder.toStored(target.kind(), target.version(), served.deepCopy());
  }

  private static WriteContext context(RequestTarget target, WriteOptions options) {
    return new WriteContext(
        options.fieldManager(),
        target.version().apiVersion(),
        target.subresource(),
        target.now(),
        target.version().type(),
        reset(target));
  }

  /// The fields depend on the endpoint and for some kinds on the kind, as upstream declares them in
  /// `GetResetFields`.
  private static FieldSet reset(RequestTarget target) {
    if (!target.kind().behaviour().hasStatus()) {
      return NOTHING;
    }
    if (!SubresourceRules.isStatus(target)) {
      return STATUS;
    }
    return switch (target.kind().names().kind()) {
      case "Pod" -> POD_STATUS;
      case "Deployment" -> DEPLOYMENT_STATUS;
      default -> SPEC;
    };
  }

  /// The served versions of a kind for field ownership.
  private record KindVersions(ResourceKind kind) implements ServedVersions {
    @Override
    public @Nullable ObjectType type(String apiVersion) {
      return version(apiVersion).map(ServedVersion::type).orElse(null);
    }

    @Override
    public ObjectNode convert(ObjectNode object, String from, String to) {
      ServedVersion source = version(from).orElseThrow();
      ServedVersion target = version(to).orElseThrow();
      ObjectNode stored = ObjectDecoder.toStored(kind, source, object.deepCopy());
      return ObjectDecoder.toServed(kind, target, stored);
    }

    @Override
    public String advice(String apiVersion, String path) {
      return version(apiVersion)
          .map(asked -> new OtherVersions(kind, asked).advice(path))
          .orElse("");
    }

    private Optional<ServedVersion> version(String apiVersion) {
      return kind.versions().stream().filter(v -> v.apiVersion().equals(apiVersion)).findFirst();
    }
  }
}
