package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Fills in one volume.
///
/// A volume without a source is an `emptyDir`, as upstream has it.
final class VolumeDefaults {
  /// `rw-r--r--`.
  private static final int FILE_MODE = 0644;

  private static final int TOKEN_SECONDS = 3600;

  private VolumeDefaults() {}

  static void apply(ObjectNode volume) {
    if (!hasSource(volume)) {
      volume.putObject("emptyDir");
      return;
    }
    PodTree.object(volume, "hostPath", path -> PodTree.absentText(path, "type", ""));
    PodTree.object(volume, "secret", VolumeDefaults::fileMode);
    PodTree.object(volume, "configMap", VolumeDefaults::fileMode);
    PodTree.object(volume, "downwardAPI", VolumeDefaults::downward);
    PodTree.object(volume, "projected", VolumeDefaults::projected);
    PodTree.object(volume, "ephemeral", VolumeDefaults::ephemeral);
    PodTree.object(volume, "image", VolumeDefaults::image);
    disks(volume);
  }

  private static boolean hasSource(ObjectNode volume) {
    return volume.size() > (volume.has("name") ? 1 : 0);
  }

  private static void fileMode(ObjectNode source) {
    PodTree.absentNumber(source, "defaultMode", FILE_MODE);
  }

  private static void downward(ObjectNode source) {
    fileMode(source);
    PodTree.each(source, "items", ContainerDefaults::reference);
  }

  private static void projected(ObjectNode projected) {
    fileMode(projected);
    PodTree.each(
        projected,
        "sources",
        source -> {
          PodTree.object(
              source,
              "downwardAPI",
              files -> PodTree.each(files, "items", ContainerDefaults::reference));
          PodTree.object(
              source,
              "serviceAccountToken",
              token -> PodTree.absentNumber(token, "expirationSeconds", TOKEN_SECONDS));
        });
  }

  private static void ephemeral(ObjectNode ephemeral) {
    PodTree.object(
        ephemeral,
        "volumeClaimTemplate",
        template ->
            PodTree.object(
                template,
                "spec",
                claim -> {
                  PodTree.absentText(claim, "volumeMode", "Filesystem");
                  PodTree.object(claim, "resources", ResourceDefaults::requirements);
                }));
  }

  private static void image(ObjectNode image) {
    boolean latest = ContainerImageName.isLatest(PodTree.text(image, "reference"));
    PodTree.text(image, "pullPolicy", latest ? "Always" : "IfNotPresent");
  }

  private static void disks(ObjectNode volume) {
    PodTree.object(volume, "iscsi", disk -> PodTree.text(disk, "iscsiInterface", "default"));
    PodTree.object(
        volume,
        "rbd",
        disk -> {
          PodTree.text(disk, "pool", "rbd");
          PodTree.text(disk, "user", "admin");
          PodTree.text(disk, "keyring", "/etc/ceph/keyring");
        });
    PodTree.object(
        volume,
        "azureDisk",
        disk -> {
          PodTree.absentText(disk, "cachingMode", "ReadWrite");
          PodTree.absentText(disk, "fsType", "ext4");
          PodTree.absentText(disk, "kind", "Shared");
          if (!disk.hasNonNull("readOnly")) {
            disk.put("readOnly", false);
          }
        });
    PodTree.object(
        volume,
        "scaleIO",
        disk -> {
          PodTree.text(disk, "storageMode", "ThinProvisioned");
          PodTree.text(disk, "fsType", "xfs");
        });
  }
}
