package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.fields.VolumePathRules;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules of volume mounts and block devices.
///
/// A volume is used either as a directory or as a block device, so both lists are checked against
/// each other.
///
/// Upstream's `ValidateVolumeMounts` and `ValidateVolumeDevices`. `recursiveReadOnly` is KEP-3857,
/// image volumes are KEP-4639.
public final class ContainerMountRules {
  private static final List<String> PROPAGATIONS =
      List.of("Bidirectional", "HostToContainer", "None");
  private static final List<String> RECURSIVE = List.of("Disabled", "Enabled", "IfPossible");

  private final Map<String, JsonNode> volumes;
  private final FieldErrors errors;

  public ContainerMountRules(Map<String, JsonNode> volumes, FieldErrors errors) {
    this.volumes = volumes;
    this.errors = errors;
  }

  public void validate(JsonNode container, FieldPath path) {
    JsonNode mounts = container.path("volumeMounts");
    JsonNode devices = container.path("volumeDevices");
    if (!mounts.isEmpty()) {
      mounts(container, mounts, targets(devices, "devicePath"), path.child("volumeMounts"));
    }
    if (!devices.isEmpty()) {
      devices(devices, targets(mounts, "mountPath"), path.child("volumeDevices"));
    }
  }

  private static Map<String, String> targets(JsonNode uses, String field) {
    if (uses.isEmpty()) {
      return Map.of();
    }
    Map<String, String> targets = new HashMap<>();
    uses.forEach(use -> targets.put(PodFields.text(use, "name"), PodFields.text(use, field)));
    return targets;
  }

  private void mounts(
      JsonNode container, JsonNode mounts, Map<String, String> devices, FieldPath path) {
    Set<String> targets = new HashSet<>();
    for (int i = 0; i < mounts.size(); i++) {
      JsonNode mount = mounts.get(i);
      FieldPath at = path.index(i);
      names(mount, devices, at);
      target(PodFields.text(mount, "mountPath"), targets, devices, at);
      subPaths(mount, at, path);
      propagation(mount, container, path);
      recursive(mount, path);
    }
  }

  private void names(JsonNode mount, Map<String, String> devices, FieldPath at) {
    String name = PodFields.text(mount, "name");
    if (name.isEmpty()) {
      errors.required(at.child("name"), "");
    }
    // An empty name is reported twice, as missing and as not found, as upstream does.
    if (!volumes.containsKey(name)) {
      errors.notFound(at.child("name"), name);
    }
    if (PodFields.text(mount, "mountPath").isEmpty()) {
      errors.required(at.child("mountPath"), "");
    }
    if (devices.containsKey(name)) {
      errors.invalid(at.child("name"), name, "must not already exist in volumeDevices");
    }
  }

  private void target(
      String target, Set<String> targets, Map<String, String> devices, FieldPath at) {
    if (!targets.add(target)) {
      errors.invalid(at.child("mountPath"), target, "must be unique");
    }
    if (devices.containsValue(target)) {
      errors.invalid(
          at.child("mountPath"), target, "must not already exist as a path in volumeDevices");
    }
  }

  /// Wrong paths are reported at the list, as upstream does.
  private void subPaths(JsonNode mount, FieldPath at, FieldPath list) {
    String plain = PodFields.text(mount, "subPath");
    String expression = PodFields.text(mount, "subPathExpr");
    if (!plain.isEmpty()) {
      // A sub-path that leads out of the volume would show files of the node. The node resolves
      // links once more when it mounts, because the content may have changed by then.
      VolumePathRules.descending(plain, list.child("subPath"), errors);
    }
    if (!expression.isEmpty()) {
      if (!plain.isEmpty()) {
        errors.invalid(
            at.child("subPathExpr"), expression, "subPathExpr and subPath are mutually exclusive");
      }
      VolumePathRules.descending(expression, list.child("subPathExpr"), errors);
    }
    JsonNode volume = volumes.get(PodFields.text(mount, "name"));
    if (volume != null && volume.has("image")) {
      onlyWholeImage(plain, at.child("subPath"));
      onlyWholeImage(expression, at.child("subPathExpr"));
    }
  }

  private void onlyWholeImage(String subPath, FieldPath at) {
    if (!subPath.isEmpty()) {
      errors.invalid(at, subPath, "not allowed in image volume sources");
    }
  }

  private void propagation(JsonNode mount, JsonNode container, FieldPath list) {
    if (!PodFields.has(mount, "mountPropagation")) {
      return;
    }
    String propagation = PodFields.text(mount, "mountPropagation");
    FieldPath path = list.child("mountPropagation");
    if (!PROPAGATIONS.contains(propagation)) {
      errors.notSupportedInOrder(path, propagation, PROPAGATIONS);
    }
    // A mount that propagates to the node affects all of its pods.
    if (propagation.equals("Bidirectional")
        && !PodFields.isTrue(container.path("securityContext"), "privileged")) {
      errors.forbidden(
          path, "Bidirectional mount propagation is available only to privileged containers");
    }
  }

  /// A mount that is read-only recursively must not receive mounts of the node later.
  private void recursive(JsonNode mount, FieldPath list) {
    if (!PodFields.has(mount, "recursiveReadOnly")) {
      return;
    }
    String mode = PodFields.text(mount, "recursiveReadOnly");
    FieldPath path = list.child("recursiveReadOnly");
    if (!RECURSIVE.contains(mode)) {
      errors.notSupportedInOrder(path, mode, RECURSIVE);
    } else if (!mode.equals("Disabled")) {
      if (!PodFields.isTrue(mount, "readOnly")) {
        errors.forbidden(path, "may only be specified when readOnly is true");
      }
      String propagation = PodFields.text(mount, "mountPropagation");
      if (PodFields.has(mount, "mountPropagation") && !propagation.equals("None")) {
        errors.forbidden(
            path, "may only be specified when mountPropagation is None or not specified");
      }
    }
  }

  private void devices(JsonNode devices, Map<String, String> mounts, FieldPath path) {
    Set<String> names = new HashSet<>();
    Set<String> targets = new HashSet<>();
    for (int i = 0; i < devices.size(); i++) {
      FieldPath at = path.index(i);
      deviceName(PodFields.text(devices.get(i), "name"), names, at);
      devicePath(PodFields.text(devices.get(i), "devicePath"), targets, at);
      String name = PodFields.text(devices.get(i), "name");
      if (mounts.containsKey(name)) {
        errors.invalid(at.child("name"), name, "must not already exist in volumeMounts");
      }
      String target = PodFields.text(devices.get(i), "devicePath");
      if (mounts.containsValue(target)) {
        errors.invalid(
            at.child("devicePath"), target, "must not already exist as a path in volumeMounts");
      }
    }
  }

  private void deviceName(String name, Set<String> names, FieldPath at) {
    if (name.isEmpty()) {
      errors.required(at.child("name"), "");
    } else if (!names.add(name)) {
      errors.invalid(at.child("name"), name, "must be unique");
    }
    JsonNode volume = volumes.get(name);
    if (volume == null) {
      errors.notFound(at.child("name"), name);
    } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
      errors.invalid(
          at.child("name"),
          name,
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
  }

  private void devicePath(String target, Set<String> targets, FieldPath at) {
    if (target.isEmpty()) {
      errors.required(at.child("devicePath"), "");
    }
    if (targets.contains(target)) {
      errors.invalid(at.child("devicePath"), target, "must be unique");
    }
    if (VolumePathRules.goesUp(target)) {
      errors.invalid(at.child("devicePath"), target, "can not contain backsteps ('..')");
    } else {
      targets.add(target);
    }
  }
}
