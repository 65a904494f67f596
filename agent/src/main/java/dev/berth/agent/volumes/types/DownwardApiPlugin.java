package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.payloads.FileContent;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.SortedMap;

/// Files with fields of the pod itself.
final class DownwardApiPlugin extends PayloadPlugin {
  DownwardApiPlugin(VolumeDirectories directories, VolumePayloads payloads) {
    super(directories, payloads);
  }

  @Override
  public String field() {
    return "downwardAPI";
  }

  @Override
  public boolean serves(Volume volume) {
    return volume.getDownwardAPI() != null;
  }

  @Override
  String directory() {
    return "kubernetes.io~downward-api";
  }

  @Override
  void addFiles(PodVolume volume, VolumePayloads source, SortedMap<String, FileContent> files) {
    var fields = volume.volume().getDownwardAPI();
    source.addFields(
        files, volume.pod(), fields.getItems(), VolumePayloads.modeOf(fields.getDefaultMode()));
  }
}
