package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.patch.GoFormat;
import dev.berth.server.patch.JsonPatch;
import dev.berth.server.patch.MergePatch;
import dev.berth.server.patch.StrategicMergePatch;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.resources.requests.OtherVersions;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.StrictProblems;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// PATCH by JSON, merge or strategic merge patch; the patched object is written like an update.
///
/// The patch is applied to the object in the version of the request, because its paths belong to
/// that version. A patch without a resourceVersion is repeated after a concurrent write, on the new
/// object; one with a resourceVersion gets a conflict.
public final class PatchVerb {
  private final UpdateVerb updater;
  private final BodyDecoder bodies;

  PatchVerb(UpdateVerb updater, BodyDecoder bodies) {
    this.updater = updater;
    this.bodies = bodies;
  }

  public VerbAnswer patch(RequestTarget target, PatchBody patch, WriteOptions options) {
    return updater.modify(target, options, live -> patched(target, live, patch, options));
  }

  private ObjectNode patched(
      RequestTarget target, ObjectNode live, PatchBody patch, WriteOptions options) {
    ResourceKind kind = target.kind();
    ServedVersion version = target.version();
    ObjectNode served = ObjectDecoder.toServed(kind, version, live.deepCopy());
    ObjectNode changed = apply(target, served, patch);
    requireType(bodies, BodyType.of(target), patch, changed);
    List<String> unknown = new ArrayList<>();
    ObjectNode normal;
    try {
      normal = ObjectDecoder.normalize(kind, version, changed, unknown);
    } catch (WrongTypeException e) {
      throw invalidPatch(patch, changed, String.valueOf(e.getMessage()));
    }
    BodyDecoder.report(
        OtherVersions.of(target).explain(StrictProblems.ofPatch(patch, unknown), unknown),
        options.fieldValidation(),
        target.warnings(),
        text -> invalidPatch(patch, changed, text));
    return ObjectDecoder.toStored(kind, version, normal);
  }

  private static ObjectNode apply(RequestTarget target, ObjectNode served, PatchBody patch) {
    return switch (patch.type()) {
      case JSON -> operate(target, served, patch);
      case MERGE -> MergePatch.apply(requireObject(patch), served);
      case STRATEGIC ->
          StrategicMergePatch.apply(target.version().type(), served, requireObject(patch));
      case APPLY -> throw new IllegalArgumentException("apply is not a patch of this sort");
    };
  }

  /// An operation on a field that the request's version lacks usually fails because the field's
  /// parent is missing. Unlike upstream's, the message names the versions with the field.
  private static ObjectNode operate(RequestTarget target, ObjectNode served, PatchBody patch) {
    try {
      return JsonPatch.apply(patch.patch(), served);
    } catch (ApiException e) {
      String advice =
          e.status().code() == 422
              ? OtherVersions.of(target).adviceOnOperations(patch.patch())
              : "";
      throw advice.isEmpty() ? e : ApiException.unprocessable(advice);
    }
  }

  /// A patch cannot change the kind. A strategic merge patch is merged into the type itself, where
  /// upstream ignores the kind.
  static void requireType(
      BodyDecoder bodies, BodyType wanted, PatchBody patch, ObjectNode changed) {
    if (patch.type() != PatchBody.Type.STRATEGIC && !wanted.fits(changed)) {
      throw invalidPatch(patch, changed, bodies.mismatch(wanted, changed));
    }
  }

  static ObjectNode requireObject(PatchBody patch) {
    if (patch.patch() instanceof ObjectNode object) {
      return object;
    }
    throw ApiException.badRequest(
        "error decoding patch: json: cannot unmarshal "
            + GoFormat.jsonWord(patch.patch())
            + " into Go value of type map[string]interface {}");
  }

  /// Upstream's error for a patch whose result does not decode: without kind and name.
  static ApiException invalidPatch(PatchBody patch, ObjectNode changed, String why) {
    String shown =
        patch.type() == PatchBody.Type.STRATEGIC
            ? GoFormat.plain(patch.patch())
            : new String(JsonTrees.bytes(changed), StandardCharsets.UTF_8);
    FieldErrors errors = new FieldErrors();
    errors.invalid(FieldPath.of("patch"), shown, why);
    return ApiException.invalid(new ApiException.Resource("", "", ""), "", errors.toList());
  }
}
