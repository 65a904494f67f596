package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.FieldError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Takes objects through what the server does to them before it stores them, without a server.
public final class Trial {
  public static final String UID = "8d0f5f1e-6c4b-4a6c-9b5a-1f6a1de33333";
  public static final String CREATED = "2026-11-15T18:47:16Z";
  private static final ObjectSchema SCHEMA = ObjectSchema.load();
  private static final YAMLMapper YAML = new YAMLMapper();

  private final ServedKinds kinds;

  public Trial() {
    this(KindOptions.STANDARD);
  }

  public Trial(KindOptions options) {
    this.kinds = ServedKinds.standard(SCHEMA, options);
  }

  /// An object in the stored version, ready for validation, and the fields nobody knows.
  ///
  /// @param asked the version in which the object was written
  public record Prepared(
      ResourceKind kind, ServedVersion asked, ObjectNode object, List<String> unknownFields) {
    public List<String> errors() {
      return texts(kind.validateCreate(asked, object));
    }
  }

  public static ObjectNode yaml(String text) {
    try {
      return (ObjectNode) YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A copy of an object with a merge patch applied: `null` removes, lists are replaced.
  public static ObjectNode merged(ObjectNode base, String patch) {
    ObjectNode copy = base.deepCopy();
    merge(copy, yaml(patch));
    return copy;
  }

  private static void merge(ObjectNode target, ObjectNode patch) {
    for (var entry : patch.properties()) {
      if (entry.getValue().isNull()) {
        target.remove(entry.getKey());
      } else if (entry.getValue() instanceof ObjectNode inner) {
        merge(target.withObjectProperty(entry.getKey()), inner);
      } else {
        target.set(entry.getKey(), entry.getValue());
      }
    }
  }

  public static String resource(String name) {
    try (InputStream in = Objects.requireNonNull(Trial.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public ServedKinds kinds() {
    return kinds;
  }

  public Prepared create(String text) {
    return create(yaml(text), "default");
  }

  public Prepared create(ObjectNode body, String namespace) {
    ResourceKind kind = kindOf(body);
    List<String> unknown = new ArrayList<>();
    ObjectNode object = stored(body, unknown);
    ObjectNode metadata = object.withObjectProperty("metadata");
    if (kind.namespaced() && !metadata.has("namespace")) {
      metadata.put("namespace", namespace);
    }
    kind.defaults().apply(object);
    kind.defaults().apply(object);
    metadata.put("uid", UID).put("creationTimestamp", CREATED);
    kind.strategy().prepareCreate(object);
    return new Prepared(kind, servedOf(body), object, unknown);
  }

  /// The object as it would be stored; it must break no rule.
  public ObjectNode created(String text) {
    Prepared prepared = create(text);
    List<String> errors = prepared.errors();
    if (!errors.isEmpty()) {
      throw new AssertionError(errors);
    }
    prepared.kind().strategy().canonicalize(prepared.object());
    return prepared.object();
  }

  public List<String> errorsOnCreate(String text) {
    return create(text).errors();
  }

  /// What is wrong with a good object after a change, before it is stored.
  public List<String> errorsOnCreate(String good, String patch) {
    return create(merged(yaml(good), patch), "default").errors();
  }

  /// What is wrong with a change of a stored object.
  public List<String> errorsOnUpdate(String good, String patch) {
    ObjectNode old = created(good);
    return errorsOnUpdate(servedOf(yaml(good)), old, merged(old, patch));
  }

  public List<String> errorsOnStatusUpdate(String good, String patch) {
    ObjectNode old = created(good);
    ObjectNode object = merged(old, patch);
    kindOf(old).defaults().apply(object);
    kindOf(old).strategy().prepareStatusUpdate(object, old);
    return texts(kindOf(old).validateStatusUpdate(object, old));
  }

  /// The object that replaces a stored one, before validation.
  public ObjectNode update(ObjectNode old, ObjectNode changed) {
    ResourceKind kind = kindOf(changed);
    ObjectNode object = stored(changed, new ArrayList<>());
    kind.defaults().apply(object);
    kind.strategy().prepareUpdate(object, old);
    return object;
  }

  public List<String> errorsOnUpdate(ObjectNode old, ObjectNode changed) {
    return errorsOnUpdate(servedOf(changed), old, changed);
  }

  private List<String> errorsOnUpdate(ServedVersion asked, ObjectNode old, ObjectNode changed) {
    return texts(kindOf(changed).validateUpdate(asked, update(old, changed), old));
  }

  public ResourceKind kindOf(JsonNode body) {
    return kinds
        .kind(group(body), version(body), body.path("kind").asText())
        .orElseThrow(() -> new AssertionError("no kind for " + body));
  }

  private ServedVersion servedOf(JsonNode body) {
    return kindOf(body).served(group(body), version(body)).orElseThrow();
  }

  private ObjectNode stored(ObjectNode body, List<String> unknown) {
    ResourceKind kind = kindOf(body);
    ServedVersion served = servedOf(body);
    ObjectNode copy = body.deepCopy();
    kind.accept(copy);
    ObjectNode normal = normal(served, copy, unknown);
    ObjectNode stored = served.conversion().toStored(normal);
    stored.put("apiVersion", kind.storedVersion().apiVersion());
    return normal(kind.storedVersion(), stored, unknown);
  }

  public static ObjectNode normal(ServedVersion version, ObjectNode tree, List<String> unknown) {
    try {
      return new TreeNormalizer(unknown).normalize(version.type(), tree);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String group(JsonNode body) {
    String apiVersion = body.path("apiVersion").asText();
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  private static String version(JsonNode body) {
    String apiVersion = body.path("apiVersion").asText();
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  /// Whole messages, each once, as the text of a `Status` has them.
  public static List<String> texts(List<FieldError> errors) {
    return errors.stream().map(FieldError::toString).distinct().toList();
  }
}
