package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.kinds.KindStrategy;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Handles status and generation for all kinds, around the kind's own strategy.
///
/// Writes to the main resource keep the status and writes to `/status` keep the rest, silently as
/// upstream: clients send back whole objects.
public final class CommonStrategy implements KindStrategy {
  private final @Nullable ObjectNode emptyStatus;
  private final boolean hasGeneration;
  private final KindStrategy own;

  public CommonStrategy(
      @Nullable ObjectType typeWithStatus, boolean hasGeneration, KindStrategy own) {
    this.emptyStatus = typeWithStatus == null ? null : emptyStatus(typeWithStatus);
    this.hasGeneration = hasGeneration;
    this.own = own;
  }

  private static ObjectNode emptyStatus(ObjectType type) {
    SchemaField status = type.field("status");
    if (status == null || !(status.shape() instanceof ValueShape.Struct(ObjectType struct))) {
      throw new IllegalArgumentException(type + " has no status");
    }
    try {
      return new TreeNormalizer(new ArrayList<>()).normalize(struct, JsonTrees.object());
    } catch (WrongTypeException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void prepareCreate(ObjectNode object) {
    if (emptyStatus != null && !own.keepsStatusOnCreate()) {
      object.set("status", emptyStatus.deepCopy());
    }
    metadata(object).remove("generation");
    if (hasGeneration) {
      metadata(object).put("generation", 1);
    }
    own.prepareCreate(object);
  }

  @Override
  public void prepareUpdate(ObjectNode object, ObjectNode old) {
    if (emptyStatus != null) {
      keep("status", object, old);
    }
    keep("generation", metadata(object), old.path("metadata"));
    own.prepareUpdate(object, old);
    // Controllers compare the generation with `observedGeneration`, so only changes that concern
    // them may count.
    if (hasGeneration && own.changesGeneration(object, old)) {
      long generation = old.path("metadata").path("generation").asLong();
      metadata(object).put("generation", generation + 1);
    }
  }

  @Override
  public void prepareApproval(ObjectNode object, ObjectNode old) {
    keepAllButStatus(object, old);
    own.prepareApproval(object, old);
  }

  @Override
  public void prepareStatusUpdate(ObjectNode object, ObjectNode old) {
    keepAllButStatus(object, old);
    own.prepareStatusUpdate(object, old);
  }

  private static void keepAllButStatus(ObjectNode object, ObjectNode old) {
    List<String> fields = new ArrayList<>();
    object.fieldNames().forEachRemaining(fields::add);
    old.fieldNames().forEachRemaining(fields::add);
    for (String field : fields) {
      if (!field.equals("metadata") && !field.equals("status")) {
        keep(field, object, old);
      }
    }
    keep("generation", metadata(object), old.path("metadata"));
  }

  @Override
  public void prepareFinalize(ObjectNode object, ObjectNode old) {
    own.prepareFinalize(object, old);
  }

  @Override
  public void prepareEphemeralContainersUpdate(ObjectNode object, ObjectNode old) {
    prepareUpdate(object, old);
    own.prepareEphemeralContainersUpdate(object, old);
  }

  @Override
  public void prepareResize(ObjectNode object, ObjectNode old) {
    prepareUpdate(object, old);
    own.prepareResize(object, old);
  }

  @Override
  public void canonicalize(ObjectNode object) {
    own.canonicalize(object);
  }

  /// Copies one field from the old object, or removes it if it is absent there.
  static void keep(String field, ObjectNode object, JsonNode old) {
    JsonNode value = old.get(field);
    if (value == null) {
      object.remove(field);
    } else {
      object.set(field, value.deepCopy());
    }
  }

  static ObjectNode metadata(ObjectNode object) {
    return object.withObject("/metadata");
  }
}
