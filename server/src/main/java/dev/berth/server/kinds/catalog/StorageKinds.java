package dev.berth.server.kinds.catalog;

import dev.berth.server.defaults.CoreDefaults;
import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.storage.CsiDriverValidation;
import dev.berth.server.validation.storage.CsiNodeValidation;
import dev.berth.server.validation.storage.VolumeAttachmentValidation;
import java.util.List;

/// The entries of `storage.k8s.io` that an upstream kubelet reads when it joins. Berth only stores
/// them: it mounts no CSI volumes.
final class StorageKinds {
  private static final String GROUP = "storage.k8s.io";

  private StorageKinds() {}

  static List<ResourceKind> entries(ObjectSchema schema) {
    return List.of(
        KindEntry.of(GROUP, "CSINode", "csinodes")
            .cluster()
            .version("v1", schema.type("storage.v1.CSINode"))
            .rules(ObjectDefaults.NONE, new CsiNodeValidation())
            .returnsDeleted()
            .build(),
        KindEntry.of(GROUP, "CSIDriver", "csidrivers")
            .cluster()
            .version("v1", schema.type("storage.v1.CSIDriver"))
            .rules(CoreDefaults::csiDriver, new CsiDriverValidation())
            .returnsDeleted()
            .build(),
        KindEntry.of(GROUP, "VolumeAttachment", "volumeattachments")
            .cluster()
            .version("v1", schema.type("storage.v1.VolumeAttachment"))
            .rules(ObjectDefaults.NONE, new VolumeAttachmentValidation())
            .status()
            .returnsDeleted()
            .build());
  }
}
