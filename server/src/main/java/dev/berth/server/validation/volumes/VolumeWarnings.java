package dev.berth.server.validation.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Warnings about volumes.
public final class VolumeWarnings {
  // The words are upstream's, whose clients know the versions.
  private static final String GONE_IN_25 = "deprecated in v1.22, non-functional in v1.25+";
  private static final String GONE_IN_31 = "deprecated in v1.28, non-functional in v1.31+";

  /// Volume source, its name in the warning, and its state.
  private static final List<List<String>> OLD_SOURCES =
      List.of(
          List.of(
              "photonPersistentDisk",
              "photonPersistentDisk",
              "deprecated in v1.11, non-functional in v1.16+"),
          List.of("gitRepo", "gitRepo", "deprecated in v1.11"),
          List.of("scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
          List.of("flocker", "flocker", GONE_IN_25),
          List.of("storageos", "storageOS", GONE_IN_25),
          List.of("quobyte", "quobyte", GONE_IN_25),
          List.of("glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
          List.of("cephfs", "cephfs", GONE_IN_31),
          List.of("rbd", "rbd", GONE_IN_31));

  /// Projection, and the name it is reported under.
  private static final Map<String, String> WITH_ITEMS =
      Map.of("configMap", "configMap", "secret", "secrets", "downwardAPI", "downwardAPI");

  private final FieldPath path;
  private final Consumer<String> warnings;

  public VolumeWarnings(FieldPath path, Consumer<String> warnings) {
    this.path = path;
    this.warnings = warnings;
  }

  public void warn(JsonNode volumes) {
    Set<String> tokens = new HashSet<>();
    for (int i = 0; i < volumes.size(); i++) {
      for (List<String> old : OLD_SOURCES) {
        if (volumes.get(i).has(old.get(0))) {
          warnings.accept(path.index(i).child(old.get(1)) + ": " + old.get(2));
        }
      }
      for (JsonNode source : volumes.get(i).path("projected").path("sources")) {
        if (source.has("serviceAccountToken")) {
          tokens.add(PodFields.text(source.path("serviceAccountToken"), "path"));
        }
      }
    }
    if (!tokens.isEmpty()) {
      hidden(volumes, tokens);
    }
  }

  /// Warns of files with the path of a token, because one hides the other.
  private void hidden(JsonNode volumes, Set<String> tokens) {
    for (int i = 0; i < volumes.size(); i++) {
      FieldPath sources = path.index(i).child("projected").child("sources");
      for (JsonNode source : volumes.get(i).path("projected").path("sources")) {
        for (Map.Entry<String, String> sort : WITH_ITEMS.entrySet()) {
          JsonNode items = source.path(sort.getKey()).path("items");
          for (int item = 0; item < items.size(); item++) {
            String target = PodFields.text(items.get(item), "path");
            if (tokens.contains(target)) {
              hides(sources.child(sort.getValue()).index(item), target);
            }
          }
        }
        String bundle = PodFields.text(source.path("clusterTrustBundle"), "path");
        if (source.has("clusterTrustBundle") && tokens.contains(bundle)) {
          hides(sources.child("ClusterTrustBundle"), bundle);
        }
      }
    }
  }

  private void hides(FieldPath at, String target) {
    warnings.accept(at + ": has duplicated path with ServiceAccountToken " + GoText.quote(target));
  }
}
