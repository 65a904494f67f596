package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.FieldManager;
import dev.berth.server.json.Normalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import java.util.ArrayList;
import java.util.List;

/// Turns a body into an object of the stored version: right kind, right types, unknown fields dealt
/// with.
final class ObjectDecoder {
  private static final String SCHEME = "pkg/api/legacyscheme/scheme.go:30";

  private final Kinds kinds;

  ObjectDecoder(Kinds kinds) {
    this.kinds = kinds;
  }

  /// Decodes a body that was sent for the target's kind.
  ObjectNode decode(Target target, Body body, WriteOptions.FieldValidation validation) {
    ResourceKind kind = target.kind();
    ServedVersion version = typeOf(target, body.tree());
    List<String> problems = new ArrayList<>();
    ObjectNode served;
    try {
      served = normalize(kind, version, body.tree(), problems);
    } catch (WrongTypeException e) {
      throw cannotHandle(kind, version, String.valueOf(e.getMessage()));
    }
    report(
        target,
        strictProblems(problems, body.duplicates()),
        validation,
        text -> cannotHandle(kind, version, text));
    return toStored(kind, version, served);
  }

  /// The normal form of an object in a served version.
  static ObjectNode normalize(
      ResourceKind kind, ServedVersion version, ObjectNode tree, List<String> unknown)
      throws WrongTypeException {
    kind.accept(tree);
    ObjectNode normal = new Normalizer(unknown).normalize(version.type(), tree);
    FieldManager.keepReset(tree, normal);
    return normal;
  }

  static ObjectNode toStored(ResourceKind kind, ServedVersion version, ObjectNode served) {
    return ObjectStore.typed(kind, version.conversion().toStored(served));
  }

  /// An object of the stored version in the words of another one.
  static ObjectNode toServed(ResourceKind kind, ServedVersion version, ObjectNode stored) {
    return version
        .conversion()
        .fromStored(stored)
        .put("kind", kind.names().kind())
        .put("apiVersion", version.apiVersion());
  }

  static List<String> strictProblems(List<String> unknown, List<String> duplicates) {
    List<String> problems = new ArrayList<>();
    unknown.forEach(path -> problems.add("unknown field \"" + path + "\""));
    duplicates.forEach(path -> problems.add("duplicate field \"" + path + "\""));
    return problems;
  }

  static void report(
      Target target,
      List<String> problems,
      WriteOptions.FieldValidation validation,
      java.util.function.Function<String, ApiException> refusal) {
    if (problems.isEmpty()) {
      return;
    }
    switch (validation) {
      case IGNORE -> {}
      case WARN -> problems.forEach(target.warnings());
      case STRICT -> throw refusal.apply("strict decoding error: " + String.join(", ", problems));
    }
  }

  private ServedVersion typeOf(Target target, ObjectNode tree) {
    String kindName = target.kind().names().kind();
    String apiVersion = tree.path("apiVersion").asText();
    String bodyKind = tree.path("kind").asText();
    if (apiVersion.isEmpty() && bodyKind.isEmpty()) {
      return target.version();
    }
    if (apiVersion.equals(target.version().apiVersion()) && bodyKind.equals(kindName)) {
      return target.version();
    }
    throw wrongType(target, apiVersion, bodyKind);
  }

  private ApiException wrongType(Target target, String apiVersion, String bodyKind) {
    String kindName = target.kind().names().kind();
    String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
    String prefix =
        "%s in version \"%s\" cannot be handled as a %s: ".formatted(bodyKind, version, kindName);
    String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
    boolean known =
        kinds.all().stream()
            .anyMatch(
                kind ->
                    kind.names().kind().equals(bodyKind)
                        && kind.served(group, version).isPresent());
    if (!known) {
      return ApiException.badRequest(
          prefix
              + "no kind \"%s\" is registered for version \"%s\" in scheme \"%s\""
                  .formatted(bodyKind, apiVersion, SCHEME));
    }
    if (bodyKind.equals(kindName)) {
      return ApiException.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(apiVersion, target.version().apiVersion()));
    }
    String internalGroup =
        target.kind().names().group().isEmpty()
            ? "core"
            : target.kind().names().group().replaceAll("\\..*", "");
    return ApiException.badRequest(
        prefix
            + "converting (%s.%s) to (%s.%s): unknown conversion"
                .formatted(version, bodyKind, internalGroup, kindName));
  }

  private static ApiException cannotHandle(ResourceKind kind, ServedVersion version, String why) {
    return ApiException.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(kind.names().kind(), version.version(), kind.names().kind(), why));
  }
}
