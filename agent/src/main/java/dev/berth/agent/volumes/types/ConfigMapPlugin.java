package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.payloads.FileContent;
import dev.berth.agent.volumes.payloads.KeySelection;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.SortedMap;

/// Files with the values of a ConfigMap.
final class ConfigMapPlugin extends PayloadPlugin {
  ConfigMapPlugin(VolumeDirectories directories, VolumePayloads payloads) {
    super(directories, payloads);
  }

  @Override
  public String field() {
    return "configMap";
  }

  @Override
  public boolean serves(Volume volume) {
    return volume.getConfigMap() != null;
  }

  @Override
  String directory() {
    return "kubernetes.io~configmap";
  }

  @Override
  boolean isOnDisk() {
    return true;
  }

  @Override
  void addFiles(PodVolume volume, VolumePayloads source, SortedMap<String, FileContent> files) {
    var map = volume.volume().getConfigMap();
    source.addConfigMap(
        files,
        volume.pod(),
        new KeySelection(map.getName(), map.getItems(), map.getOptional()),
        VolumePayloads.modeOf(map.getDefaultMode()));
  }
}
