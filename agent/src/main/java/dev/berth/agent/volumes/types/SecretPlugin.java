package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.payloads.FileContent;
import dev.berth.agent.volumes.payloads.KeySelection;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.SortedMap;

/// Files with the values of a Secret; they never reach the disk.
final class SecretPlugin extends PayloadPlugin {
  SecretPlugin(VolumeDirectories directories, VolumePayloads payloads) {
    super(directories, payloads);
  }

  @Override
  public String field() {
    return "secret";
  }

  @Override
  public boolean serves(Volume volume) {
    return volume.getSecret() != null;
  }

  @Override
  String directory() {
    return "kubernetes.io~secret";
  }

  @Override
  void addFiles(PodVolume volume, VolumePayloads source, SortedMap<String, FileContent> files) {
    var secret = volume.volume().getSecret();
    source.addSecret(
        files,
        volume.pod(),
        new KeySelection(secret.getSecretName(), secret.getItems(), secret.getOptional()),
        VolumePayloads.modeOf(secret.getDefaultMode()));
  }
}
