package dev.berth.server.validation.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.containers.ContainerRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.fields.VolumePathRules;
import dev.berth.server.validation.storage.CsiDriverName;
import java.util.List;

/// The rules of the volume sources that a node provides itself.
///
/// Whether a pod may use the node's own files is a question of Pod Security, not of these rules.
final class VolumeSourceRules {
  private static final List<String> HOST_PATH_TYPES =
      List.of(
          "",
          "BlockDevice",
          "CharDevice",
          "Directory",
          "DirectoryOrCreate",
          "File",
          "FileOrCreate",
          "Socket");

  private final FieldPath path;
  private final FieldErrors errors;

  VolumeSourceRules(FieldPath path, FieldErrors errors) {
    this.path = path;
    this.errors = errors;
  }

  void validate(String name, JsonNode source, boolean isPod) {
    switch (name) {
      case "emptyDir" -> emptyDir(source);
      case "hostPath" -> hostPath(source);
      case "secret" -> files(source, "secretName");
      case "configMap" -> files(source, "name");
      case "downwardAPI" -> downward(source);
      case "csi" -> csi(source);
      case "image" -> image(source, isPod);
      default -> throw new IllegalArgumentException("no rules for volume source " + name);
    }
  }

  private void emptyDir(JsonNode source) {
    if (PodFields.text(source, "sizeLimit").startsWith("-")) {
      errors.forbidden(
          path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
    }
  }

  private void hostPath(JsonNode source) {
    String target = PodFields.text(source, "path");
    if (target.isEmpty()) {
      errors.required(path.child("path"), "");
      return;
    }
    // Policies allow paths by their prefix, which `..` would walk around.
    VolumePathRules.noStepsUp(target, path.child("path"), errors);
    String type = PodFields.text(source, "type");
    if (!HOST_PATH_TYPES.contains(type)) {
      errors.notSupportedInOrder(path.child("type"), type, HOST_PATH_TYPES);
    }
  }

  private void files(JsonNode source, String name) {
    PodFields.required(source, name, path, errors);
    VolumeFileRules.mode(source, "defaultMode", path, errors);
    VolumeFileRules.keys(source.path("items"), path.child("items"), errors);
  }

  private void downward(JsonNode source) {
    VolumeFileRules.mode(source, "defaultMode", path, errors);
    for (JsonNode file : source.path("items")) {
      VolumeFileRules.downward(file, path, errors);
    }
  }

  private void csi(JsonNode source) {
    CsiDriverName.check(PodFields.text(source, "driver"), path.child("driver"), errors);
    if (PodFields.has(source, "nodePublishSecretRef")) {
      String secret = PodFields.text(source.path("nodePublishSecretRef"), "name");
      if (secret.isEmpty()) {
        errors.required(path.child("nodePublishSecretRef").child("name"), "");
      } else {
        errors.invalid(path.child("name"), secret, NameRules.dns1123Subdomain(secret));
      }
    }
  }

  /// A template may leave the reference open, since something else may fill it in.
  private void image(JsonNode source, boolean isPod) {
    if (isPod) {
      PodFields.required(source, "reference", path, errors);
    }
    ContainerRules.pullPolicy(
        PodFields.text(source, "pullPolicy"), path.child("pullPolicy"), errors);
  }
}
