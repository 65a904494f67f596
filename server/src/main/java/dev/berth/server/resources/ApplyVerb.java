package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.patch.GoFormat;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.StrictProblems;
import dev.berth.server.resources.requests.WriteOptions;
import java.util.List;

/// PATCH by server-side apply: merges the client's configuration into the live object, or creates
/// the object.
///
/// The body is not normalized before the merge: an absent field, `null` and an empty value mean
/// different things to ownership. The merge runs inside the retry loop of `UpdateVerb`, so a
/// concurrent write is merged again with its new owners and is never overwritten.
public final class ApplyVerb {
  private final WriteRules rules;
  private final CreateVerb creator;
  private final UpdateVerb updater;

  ApplyVerb(WriteRules rules, CreateVerb creator, UpdateVerb updater) {
    this.rules = rules;
    this.creator = creator;
    this.updater = updater;
  }

  public VerbAnswer apply(RequestTarget target, PatchBody patch, WriteOptions options) {
    ObjectNode applied = checkedBody(target, patch);
    BodyDecoder.report(
        StrictProblems.ofPatch(patch, List.of()),
        options.fieldValidation(),
        target.warnings(),
        text -> ApiException.badRequest("error strict decoding YAML: " + text));
    if (isMissing(target) && target.subresource().isEmpty()) {
      try {
        return create(target, applied, options);
      } catch (ApiException e) {
        // The object was created concurrently, by another applier for example: apply to it instead.
        if (!e.isAlreadyExists() || isMissing(target)) {
          throw e;
        }
      }
    }
    return change(target, applied, options);
  }

  private boolean isMissing(RequestTarget target) {
    return rules.store().find(target.kind(), target.namespace(), target.name()) == null;
  }

  private VerbAnswer change(RequestTarget target, ObjectNode applied, WriteOptions options) {
    return updater.modify(
        target,
        options,
        new UpdateVerb.Change() {
          @Override
          public ObjectNode apply(ObjectNode live) {
            return rules.owners().apply(target, live, applied, options);
          }

          @Override
          public boolean ownersNoted() {
            return true;
          }
        });
  }

  /// A configuration with a UID or for another name must not create an object by accident.
  private VerbAnswer create(RequestTarget target, ObjectNode applied, WriteOptions options) {
    ObjectNode created = rules.owners().apply(target, null, applied, options);
    String uid = ObjectMetadata.text(created, "uid");
    if (!uid.isEmpty()) {
      throw ApiException.conflict(
          target.kind().resource(),
          target.name(),
          "uid mismatch: the provided object specified uid %s, and no existing object was found"
              .formatted(uid));
    }
    // A generated name would differ from the name in the request.
    UpdateVerb.requireName(target, created);
    ObjectMetadata.of(created).remove("resourceVersion");
    return creator.createOwned(target, created, options);
  }

  private static ObjectNode checkedBody(RequestTarget target, PatchBody patch) {
    if (!(patch.patch() instanceof ObjectNode object)) {
      throw ApiException.badRequest(
          "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
              + GoFormat.jsonWord(patch.patch())
              + " into Go value of type map[string]interface {}");
    }
    ServedVersion version = target.version();
    String apiVersion = object.path("apiVersion").asText();
    String kind = object.path("kind").asText();
    if (apiVersion.isEmpty() || kind.isEmpty()) {
      throw ApiException.badRequest(
          "Object '%s' is missing in the applied configuration, expected apiVersion %s and kind %s"
              .formatted(
                  apiVersion.isEmpty() ? "apiVersion" : "kind",
                  version.apiVersion(),
                  target.kind().names().kind()));
    }
    if (!apiVersion.equals(version.apiVersion()) || !kind.equals(target.kind().names().kind())) {
      throw ApiException.badRequest(
          "the kind %s in version %s of the applied configuration does not match the request's %s in version %s"
              .formatted(kind, apiVersion, target.kind().names().kind(), version.apiVersion()));
    }
    UpdateVerb.checkName(target, object);
    return object;
  }
}
