package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.audit.RequestAudit;
import dev.berth.server.fields.FieldManager;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.resources.requests.OtherVersions;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.StrictProblems;
import dev.berth.server.resources.requests.WriteOptions;
import java.util.ArrayList;
import java.util.List;

/// Decodes a body to an object of the stored version.
///
/// Unknown and duplicate fields are collected while the tree is normalized, and reported together:
/// ignored, as warnings, or as an error, by the `fieldValidation` of the request. A value of the
/// wrong type is always an error.
final class ObjectDecoder {
  private final BodyDecoder bodies;

  ObjectDecoder(BodyDecoder bodies) {
    this.bodies = bodies;
  }

  /// Decodes a body of the target's kind.
  ObjectNode decode(
      RequestTarget target, RequestBody body, WriteOptions.FieldValidation validation) {
    BodyType wanted = BodyType.of(target);
    bodies.require(wanted, body.tree());
    ResourceKind kind = target.kind();
    ServedVersion version = target.version();
    List<String> unknown = new ArrayList<>();
    ObjectNode served;
    try {
      served = normalize(kind, version, body.tree(), unknown);
    } catch (WrongTypeException e) {
      throw wanted.cannotHandle(String.valueOf(e.getMessage()));
    }
    BodyDecoder.report(
        OtherVersions.of(target).explain(StrictProblems.of(body, unknown), unknown),
        validation,
        target.warnings(),
        wanted::cannotHandle);
    ObjectNode stored = toStored(kind, version, served);
    record(body.audit(), kind, version, stored);
    return stored;
  }

  /// Like upstream the audit log has the object in the version of the request, with its default
  /// values, and before admission.
  private static void record(
      RequestAudit audit, ResourceKind kind, ServedVersion version, ObjectNode stored) {
    if (audit.wantsRequest()) {
      ObjectNode complete = stored.deepCopy();
      kind.defaults().apply(complete);
      audit.requestObject(toServed(kind, version, complete));
    } else {
      audit.requestObject(stored);
    }
  }

  /// Normalizes an object of a served version.
  static ObjectNode normalize(
      ResourceKind kind, ServedVersion version, ObjectNode tree, List<String> unknown)
      throws WrongTypeException {
    kind.accept(tree);
    ObjectNode normal = new TreeNormalizer(unknown).normalize(version.type(), tree);
    FieldManager.keepReset(tree, normal);
    return normal;
  }

  static ObjectNode toStored(ResourceKind kind, ServedVersion version, ObjectNode served) {
    return ObjectStore.typed(kind, version.conversion().toStored(served));
  }

  /// Converts an object of the stored version to a served version.
  static ObjectNode toServed(ResourceKind kind, ServedVersion version, ObjectNode stored) {
    return version
        .conversion()
        .fromStored(stored)
        .put("kind", kind.names().kind())
        .put("apiVersion", version.apiVersion());
  }
}
