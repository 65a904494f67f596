package dev.berth.server.validation.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// The rules that `metadata` keeps in every kind.
///
/// Upstream's `ValidateObjectMeta` and `ValidateObjectMetaUpdate`.
///
/// @param recheckedOnUpdate an update repeats the rules of creation; upstream reports what they
///   find once more, so the causes of a `Status` do
public record MetadataRules(NameRule nameRule, boolean namespaced, boolean recheckedOnUpdate) {
  private static final FieldPath METADATA = FieldPath.of("metadata");

  /// Upstream's limit of all keys and values together, in bytes.
  private static final int ANNOTATIONS_LIMIT = 256 << 10;

  // The server has filled most of them from the stored object. What fails here in practice is a
  // deletion mark that a client sends for an object that is not being deleted.
  private static final List<String> IMMUTABLE =
      List.of("name", "namespace", "uid", "creationTimestamp", "deletionGracePeriodSeconds");

  public void onCreate(ObjectNode object, FieldErrors errors) {
    JsonNode metadata = object.path("metadata");
    FieldErrors maps = new FieldErrors();
    checkMaps(metadata, maps);
    checkAll(metadata, nameRule, maps, errors);
    checkFinalizers(metadata, errors);
  }

  /// The update of the main resource and of every subresource alike.
  public void onUpdate(ObjectNode object, ObjectNode old, FieldErrors errors) {
    JsonNode metadata = object.path("metadata");
    FieldErrors maps = new FieldErrors();
    checkMaps(metadata, maps);
    FieldErrors change = new FieldErrors();
    checkChange(metadata, old.path("metadata"), change);

    checkAll(metadata, NameRule.PATH_SEGMENT, maps, errors);
    // Upstream checks the metadata of an update twice, in the generic store and in the strategy,
    // and reports what both find. Clients see the causes twice.
    for (int i = 0; i < 2; i++) {
      errors.addAll(change);
      errors.addAll(maps);
    }
    if (recheckedOnUpdate) {
      checkAll(metadata, nameRule, maps, errors);
      checkFinalizers(metadata, errors);
    }
  }

  private void checkAll(JsonNode metadata, NameRule rule, FieldErrors maps, FieldErrors errors) {
    String prefix = metadata.path("generateName").asText();
    if (!prefix.isEmpty()) {
      errors.invalid(METADATA.child("generateName"), prefix, rule.prefixProblems(prefix));
    }
    String name = metadata.path("name").asText();
    if (name.isEmpty()) {
      errors.required(METADATA.child("name"), "name or generateName is required");
    } else {
      errors.invalid(METADATA.child("name"), name, rule.problems(name));
    }
    checkNamespace(metadata.path("namespace").asText(), errors);
    CommonChecks.nonNegative(metadata, METADATA, errors, "generation");
    errors.addAll(maps);
    FinalizerRules.check(metadata.path("finalizers"), METADATA.child("finalizers"), errors);
  }

  private static void checkFinalizers(JsonNode metadata, FieldErrors errors) {
    FinalizerRules.checkStandard(metadata.path("finalizers"), METADATA.child("finalizers"), errors);
  }

  private void checkNamespace(String namespace, FieldErrors errors) {
    FieldPath path = METADATA.child("namespace");
    if (!namespaced && !namespace.isEmpty()) {
      errors.forbidden(path, "not allowed on this type");
    } else if (namespaced && namespace.isEmpty()) {
      errors.required(path, "");
    } else if (namespaced) {
      errors.invalid(path, namespace, NameRules.dns1123Label(namespace));
    }
  }

  private static void checkMaps(JsonNode metadata, FieldErrors errors) {
    PodFields.labels(metadata.path("labels"), METADATA.child("labels"), errors);
    checkAnnotations(metadata.path("annotations"), METADATA.child("annotations"), errors);
    OwnerReferenceRules.check(
        metadata.path("ownerReferences"), METADATA.child("ownerReferences"), errors);
  }

  public static void checkAnnotations(JsonNode annotations, FieldPath path, FieldErrors errors) {
    long size = 0;
    for (var annotation : annotations.properties()) {
      String key = annotation.getKey();
      // Keys of annotations may have capitals in their prefix, unlike those of labels.
      errors.invalid(path, key, NameRules.qualifiedName(key.toLowerCase(Locale.ROOT)));
      size += bytes(key) + bytes(annotation.getValue().asText());
    }
    if (size > ANNOTATIONS_LIMIT) {
      errors.tooLong(path, ANNOTATIONS_LIMIT);
    }
  }

  public static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void checkChange(JsonNode metadata, JsonNode old, FieldErrors errors) {
    if (old.hasNonNull("deletionTimestamp")) {
      FinalizerRules.checkNoneAdded(
          metadata.path("finalizers"),
          old.path("finalizers"),
          METADATA.child("finalizers"),
          errors);
    }
    long generation = metadata.path("generation").asLong();
    // Controllers compare it with `observedGeneration`; a number that falls would look like done
    // work.
    if (generation < old.path("generation").asLong()) {
      errors.invalid(METADATA.child("generation"), generation, "must not be decremented");
    }
    for (String field : IMMUTABLE) {
      CommonChecks.immutable(metadata.path(field), old.path(field), METADATA.child(field), errors);
    }
    JsonNode deletion = metadata.path("deletionTimestamp");
    if (!deletion.equals(old.path("deletionTimestamp"))) {
      errors.invalidLiteral(
          METADATA.child("deletionTimestamp"), GoComposites.time(deletion), CommonChecks.IMMUTABLE);
    }
  }
}
