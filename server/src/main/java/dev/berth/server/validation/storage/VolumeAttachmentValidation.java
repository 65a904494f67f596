package dev.berth.server.validation.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.NameRules;

/// The rules of VolumeAttachment.
///
/// Stored for kubelets and attachers of others; the status is the attacher's.
public final class VolumeAttachmentValidation implements KindValidator {
  private static final FieldPath SPEC = FieldPath.of("spec");

  @Override
  public void onCreate(ObjectNode attachment, FieldErrors errors) {
    JsonNode spec = attachment.path("spec");
    CsiDriverName.check(spec.path("attacher").asText(""), SPEC.child("attacher"), errors);
    FieldPath source = SPEC.child("source");
    if (!spec.path("source").hasNonNull("persistentVolumeName")) {
      errors.required(
          source, "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
    } else {
      String name = spec.path("source").path("persistentVolumeName").asText("");
      errors.invalid(source.child("persistentVolumeName"), name, NameRules.dns1123Subdomain(name));
    }
    String node = spec.path("nodeName").asText("");
    errors.invalid(SPEC.child("nodeName"), node, NameRules.dns1123Subdomain(node));
  }

  @Override
  public void onUpdate(ObjectNode attachment, ObjectNode old, FieldErrors errors) {
    CommonChecks.immutable(attachment.path("spec"), old.path("spec"), SPEC, errors);
  }
}
