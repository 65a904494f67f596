package dev.berth.server.validation.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.fields.VolumePathRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// The rules of volumes that other systems provide; Berth stores them, its nodes mount none of
/// them.
///
/// Their form is still checked, so that a manifest is refused here for the same reasons as at other
/// clusters.
final class VolumeDiskRules {
  /// Texts that must not be empty, by source.
  private static final Map<String, List<String>> REQUIRED =
      Map.ofEntries(
          Map.entry("gitRepo", List.of("repository")),
          Map.entry("gcePersistentDisk", List.of("pdName")),
          Map.entry("awsElasticBlockStore", List.of("volumeID")),
          Map.entry("nfs", List.of("server", "path")),
          Map.entry("glusterfs", List.of("endpoints", "path")),
          Map.entry("persistentVolumeClaim", List.of("claimName")),
          Map.entry("cinder", List.of("volumeID")),
          Map.entry("flexVolume", List.of("driver")),
          Map.entry("azureFile", List.of("secretName", "shareName")),
          Map.entry("vsphereVolume", List.of("volumePath")),
          Map.entry("photonPersistentDisk", List.of("pdID")),
          Map.entry("portworxVolume", List.of("volumeID")),
          Map.entry("azureDisk", List.of("diskName", "diskURI")),
          Map.entry("scaleIO", List.of("gateway", "system", "volumeName")));

  private static final List<String> CACHING = List.of("None", "ReadOnly", "ReadWrite");
  private static final List<String> DISK_KINDS = List.of("Dedicated", "Managed", "Shared");
  // RFC 3721. The dots after `eui` and `naa` match any character in upstream's patterns, too.
  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([\\p{Alnum}\\-.]+)(:[^,;*&$|\\s]+)");
  private static final Pattern EUI = Pattern.compile("eui.\\p{Alnum}{16}");
  private static final Pattern NAA = Pattern.compile("naa.\\p{Alnum}{32}");

  /// Upstream's limit of a Fibre Channel unit number.
  private static final int MAX_LUN = 255;

  private final FieldPath path;
  private final FieldErrors errors;

  VolumeDiskRules(FieldPath path, FieldErrors errors) {
    this.path = path;
    this.errors = errors;
  }

  void validate(String name, JsonNode source) {
    for (String field : REQUIRED.getOrDefault(name, List.of())) {
      PodFields.required(source, field, path, errors);
    }
    switch (name) {
      case "gitRepo" ->
          VolumePathRules.descending(
              PodFields.text(source, "directory"), path.child("directory"), errors);
      case "gcePersistentDisk", "awsElasticBlockStore" -> partition(source);
      case "nfs" -> absolute(PodFields.text(source, "path"));
      case "flocker" -> flocker(source);
      case "rbd", "cephfs" -> monitors(name, source);
      case "quobyte" -> quobyte(source);
      case "fc" -> fibreChannel(source);
      case "flexVolume" -> reservedOptions(source.path("options"));
      case "azureDisk" -> azureDisk(source);
      case "storageos" -> storageOs(source);
      default -> {}
    }
  }

  private void partition(JsonNode source) {
    long partition = PodFields.number(source, "partition");
    if (partition < 0 || partition > 255) {
      errors.invalid(path.child("partition"), partition, "must be between 1 and 255, inclusive");
    }
  }

  private void absolute(String target) {
    if (!target.startsWith("/")) {
      errors.invalid(path.child("path"), target, "must be an absolute path");
    }
  }

  void iscsi(JsonNode source) {
    PodFields.required(source, "targetPortal", path, errors);
    PodFields.required(source, "iqn", path, errors);
    String iqn = PodFields.text(source, "iqn");
    if (!iqn.isEmpty()) {
      qualified(iqn, path.child("iqn"));
    }
    lun(PodFields.number(source, "lun"));
    if ((PodFields.isTrue(source, "chapAuthDiscovery")
            || PodFields.isTrue(source, "chapAuthSession"))
        && !PodFields.has(source, "secretRef")) {
      errors.required(path.child("secretRef"), "");
    }
    if (PodFields.has(source, "initiatorName")) {
      qualified(PodFields.text(source, "initiatorName"), path.child("initiatorname"));
    }
  }

  private void qualified(String name, FieldPath at) {
    boolean known = name.startsWith("iqn") || name.startsWith("eui") || name.startsWith("naa");
    if (!known) {
      errors.invalid(at, name, "must be valid format starting with iqn, eui, or naa");
    } else if (!IQN.matcher(name).matches()
        && !EUI.matcher(name).matches()
        && !NAA.matcher(name).matches()) {
      errors.invalid(at, name, "must be valid format");
    }
  }

  private void lun(long lun) {
    if (lun < 0 || lun > MAX_LUN) {
      errors.invalid(path.child("lun"), lun, "must be between 0 and 255, inclusive");
    }
  }

  private void flocker(JsonNode source) {
    String name = PodFields.text(source, "datasetName");
    String id = PodFields.text(source, "datasetUUID");
    if (name.isEmpty() && id.isEmpty()) {
      errors.required(path, "one of datasetName and datasetUUID is required");
    }
    if (!name.isEmpty() && !id.isEmpty()) {
      errors.invalid(
          path, "resource", "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (name.contains("/")) {
      errors.invalid(path.child("datasetName"), name, "must not contain '/'");
    }
  }

  private void monitors(String name, JsonNode source) {
    if (source.path("monitors").isEmpty()) {
      errors.required(path.child("monitors"), "");
    }
    if (name.equals("rbd")) {
      PodFields.required(source, "image", path, errors);
    }
  }

  private void quobyte(JsonNode source) {
    String pairs = "must be a host:port pair or multiple pairs separated by commas";
    String registry = PodFields.text(source, "registry");
    if (registry.isEmpty()) {
      errors.required(path.child("registry"), pairs);
    } else if (PodFields.text(source, "tenant").length() > 64) {
      errors.required(
          path.child("tenant"), "must be a UUID and may not exceed a length of 64 characters");
    } else {
      for (String pair : registry.split(",", -1)) {
        if (!pair.contains(":")) {
          errors.invalid(path.child("registry"), registry, pairs);
        }
      }
    }
    PodFields.required(source, "volume", path, errors);
  }

  private void fibreChannel(JsonNode source) {
    boolean names = !source.path("targetWWNs").isEmpty();
    boolean ids = !source.path("wwids").isEmpty();
    if (!names && !ids) {
      errors.required(
          path.child("targetWWNs"), "must specify either targetWWNs or wwids, but not both");
    }
    if (names && ids) {
      errors.invalidLiteral(
          path.child("targetWWNs"),
          GoComposites.stringList(source.path("targetWWNs")),
          "targetWWNs and wwids can not be specified simultaneously");
    }
    if (names && !PodFields.has(source, "lun")) {
      errors.required(path.child("lun"), "lun is required if targetWWNs is specified");
    } else if (names) {
      lun(PodFields.number(source, "lun"));
    }
  }

  private void reservedOptions(JsonNode options) {
    for (Map.Entry<String, JsonNode> option : options.properties()) {
      String key = option.getKey();
      String domain = "." + key.split("/", 2)[0].toLowerCase(Locale.ROOT);
      // The kubelet adds options of its own under these domains, which a user must not forge.
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
        errors.invalid(
            path.child("options").key(key),
            key,
            "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  private void azureDisk(JsonNode source) {
    String caching = PodFields.text(source, "cachingMode");
    if (PodFields.has(source, "cachingMode") && !CACHING.contains(caching)) {
      errors.notSupportedInOrder(path.child("cachingMode"), caching, CACHING);
    }
    String kind = PodFields.text(source, "kind");
    String uri = PodFields.text(source, "diskURI");
    if (PodFields.has(source, "kind") && !DISK_KINDS.contains(kind)) {
      errors.notSupportedInOrder(path.child("kind"), kind, DISK_KINDS);
    }
    if (kind.equals("Managed") && !uri.startsWith("/subscriptions/")) {
      errors.notSupportedInOrder(
          path.child("diskURI"),
          uri,
          List.of(
              "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute"
                  + "/disks/{disk-id}"));
    } else if (!kind.isEmpty() && !kind.equals("Managed") && !uri.startsWith("https://")) {
      errors.notSupportedInOrder(
          path.child("diskURI"),
          uri,
          List.of("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"));
    }
  }

  private void storageOs(JsonNode source) {
    String name = PodFields.text(source, "volumeName");
    if (name.isEmpty()) {
      errors.required(path.child("volumeName"), "");
    }
    PodFields.label(source, "volumeName", path, errors);
    PodFields.label(source, "volumeNamespace", path, errors);
  }
}
