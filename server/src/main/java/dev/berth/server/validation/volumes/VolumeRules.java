package dev.berth.server.validation.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The rules of a pod's list of volumes.
///
/// Upstream's `ValidateVolumes` and `validateVolumeSource`.
public final class VolumeRules {
  /// The volume sources in upstream's order of checking, which decides which of two sources is
  /// reported as the second.
  private static final List<String> SOURCES =
      List.of(
          "emptyDir",
          "hostPath",
          "gitRepo",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "secret",
          "nfs",
          "iscsi",
          "glusterfs",
          "flocker",
          "persistentVolumeClaim",
          "rbd",
          "cinder",
          "cephfs",
          "quobyte",
          "downwardAPI",
          "fc",
          "flexVolume",
          "configMap",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "storageos",
          "projected",
          "scaleIO",
          "csi",
          "ephemeral",
          "image");

  private final String podName;
  private final boolean isPod;
  private final FieldErrors errors;

  /// Rules for the volumes of one pod.
  ///
  /// @param podName empty in templates; claims of ephemeral volumes are named after the pod
  public VolumeRules(String podName, boolean isPod, FieldErrors errors) {
    this.podName = podName;
    this.isPod = isPod;
    this.errors = errors;
  }

  /// Checks all volumes and gives the good ones by name; mounts of others are "not found".
  ///
  /// Upstream reports the mount of a volume with errors as not found, so clients see both errors.
  public Map<String, JsonNode> validate(JsonNode volumes, FieldPath path) {
    if (volumes.isEmpty()) {
      return Map.of();
    }
    Set<String> created = createdClaims(volumes);
    Map<String, JsonNode> good = new HashMap<>();
    for (int i = 0; i < volumes.size(); i++) {
      JsonNode volume = volumes.get(i);
      FieldPath at = path.index(i);
      int before = errors.size();
      sources(volume, at);
      name(PodFields.text(volume, "name"), good.keySet(), at);
      if (errors.size() == before) {
        good.put(PodFields.text(volume, "name"), volume);
      }
      String claim = PodFields.text(volume.path("persistentVolumeClaim"), "claimName");
      if (created.contains(claim)) {
        errors.invalid(
            at.child("persistentVolumeClaim").child("claimName"),
            claim,
            // The pod would wait for a claim that is made only for itself under the same name.
            "must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return good;
  }

  private Set<String> createdClaims(JsonNode volumes) {
    if (podName.isEmpty()) {
      return Set.of();
    }
    Set<String> claims = new HashSet<>();
    for (JsonNode volume : volumes) {
      if (volume.has("ephemeral")) {
        claims.add(podName + "-" + PodFields.text(volume, "name"));
      }
    }
    return claims;
  }

  private void name(String name, Set<String> taken, FieldPath at) {
    if (name.isEmpty()) {
      errors.required(at.child("name"), "");
    } else {
      errors.invalid(at.child("name"), name, NameRules.dns1123Label(name));
    }
    if (taken.contains(name)) {
      errors.duplicate(at.child("name"), name);
    }
  }

  private void sources(JsonNode volume, FieldPath at) {
    int found = 0;
    for (int i = 0; i < SOURCES.size(); i++) {
      String name = SOURCES.get(i);
      JsonNode source = volume.get(name);
      if (source == null || !source.isObject()) {
        continue;
      }
      if (found++ > 0) {
        errors.forbidden(at.child(reportedAs(name)), "may not specify more than 1 volume type");
      } else {
        source(name, source, volume, at);
      }
    }
    if (found == 0) {
      errors.required(at, "must specify a volume type");
    }
  }

  /// Upstream misspells two of them here, and clients may know them so.
  private static String reportedAs(String source) {
    return switch (source) {
      case "cephfs" -> "cephFS";
      case "downwardAPI" -> "downwarAPI";
      default -> source;
    };
  }

  private void source(String name, JsonNode source, JsonNode volume, FieldPath at) {
    switch (name) {
      case "projected" -> new VolumeProjectionRules(at.child(name), errors).validate(source);
      case "ephemeral" -> ephemeral(source, PodFields.text(volume, "name"), at);
      case "emptyDir", "hostPath", "secret", "configMap", "downwardAPI", "csi", "image" ->
          new VolumeSourceRules(at.child(name), errors).validate(name, source, isPod);
      case "iscsi" -> {
        new VolumeDiskRules(at.child(name), errors).iscsi(source);
        initiator(source, PodFields.text(volume, "name"), at);
      }
      case "gcePersistentDisk" ->
          new VolumeDiskRules(at.child("persistentDisk"), errors).validate(name, source);
      default -> new VolumeDiskRules(at.child(name), errors).validate(name, source);
    }
  }

  private void initiator(JsonNode disk, String volume, FieldPath at) {
    String portal = PodFields.text(disk, "targetPortal");
    // The node names the interface of the initiator after both, and its tools limit that name.
    if (PodFields.has(disk, "initiatorName") && (volume + ":" + portal).length() > 64) {
      errors.invalid(
          at.child("name"),
          volume,
          "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
              + " iscsi.initiatorName is specified.");
    }
  }

  private void ephemeral(JsonNode source, String volume, FieldPath at) {
    new VolumeClaimRules(at.child("ephemeral"), errors).validate(source);
    if (!podName.isEmpty() && !volume.isEmpty()) {
      String claim = podName + "-" + volume;
      for (String reason : NameRules.dns1123Subdomain(claim)) {
        errors.invalid(at.child("name"), volume, "PVC name " + GoText.quote(claim) + ": " + reason);
      }
    }
  }
}
