package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.payloads.FileContent;
import dev.berth.agent.volumes.payloads.KeySelection;
import dev.berth.agent.volumes.payloads.VolumePayloads;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// One directory with files of several sources. All failures of one attempt are reported together.
final class ProjectedPlugin extends PayloadPlugin {
  private final VolumePayloads payloads;

  ProjectedPlugin(VolumeDirectories directories, VolumePayloads payloads) {
    super(directories, payloads);
    this.payloads = payloads;
  }

  @Override
  public String field() {
    return "projected";
  }

  @Override
  public boolean serves(Volume volume) {
    return volume.getProjected() != null;
  }

  @Override
  String directory() {
    return "kubernetes.io~projected";
  }

  @Override
  void addFiles(PodVolume volume, VolumePayloads source, SortedMap<String, FileContent> files) {
    var projected = volume.volume().getProjected();
    int mode = VolumePayloads.modeOf(projected.getDefaultMode());
    List<String> failures = new ArrayList<>();
    for (VolumeProjection one : projected.getSources()) {
      try {
        addFiles(volume.pod(), one, source, files, mode);
      } catch (VolumeException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    if (!failures.isEmpty()) {
      throw new VolumeException(String.join(", ", failures));
    }
  }

  private static void addFiles(
      Pod pod,
      VolumeProjection one,
      VolumePayloads source,
      SortedMap<String, FileContent> files,
      int mode) {
    if (one.getConfigMap() != null) {
      var map = one.getConfigMap();
      source.addConfigMap(
          files, pod, new KeySelection(map.getName(), map.getItems(), map.getOptional()), mode);
    } else if (one.getSecret() != null) {
      var secret = one.getSecret();
      source.addSecret(
          files,
          pod,
          new KeySelection(secret.getName(), secret.getItems(), secret.getOptional()),
          mode);
    } else if (one.getDownwardAPI() != null) {
      source.addFields(files, pod, one.getDownwardAPI().getItems(), mode);
    } else if (one.getServiceAccountToken() != null) {
      source.addToken(files, pod, one.getServiceAccountToken(), mode);
    } else {
      throw new VolumeException(
          "one of its projected sources is of a type that the agent does not serve");
    }
  }

  @Override
  public void remove(Pod pod) {
    super.remove(pod);
    payloads.forgetTokens(pod);
  }
}
