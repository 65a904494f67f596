package dev.berth.agent.pods.staticpods;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.api.YamlLimits;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the manifests of static pods: every file in the directory that is not hidden, as a kubelet
/// does. An unusable file is reported once and skipped; one that was usable before keeps its pod
/// for a while, because a write may be in progress.
public final class ManifestDirectory {
  private static final Logger log = LoggerFactory.getLogger(ManifestDirectory.class);

  /// The kubelet's limit for a manifest.
  private static final long LARGEST = 10 << 20;

  /// After this many failed reads the pod of a file ends. The directory is read every second; a
  /// kubelet takes 20 seconds.
  static final int PATIENCE = 20;

  /// JSON is a subset of YAML.
  private static final YAMLMapper YAML =
      YAMLMapper.builder(YamlLimits.factory().build())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private static final JsonMapper SORTED =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private final Path directory;
  private final String node;

  /// The last error of each file, so that it is reported once.
  private final Map<Path, String> mistakes = new LinkedHashMap<>();

  /// The last usable content of each file.
  private final Map<Path, Earlier> earlier = new HashMap<>();

  /// @param failures how many reads have failed since
  private record Earlier(Pod pod, int failures) {}

  public ManifestDirectory(Path directory, String node) {
    this.directory = directory;
    this.node = node;
  }

  /// The pods of all files, by UID.
  ///
  /// @throws IOException when the directory cannot be read: then it is unknown which pods are
  ///   wanted
  public Map<String, Pod> read() throws IOException {
    Map<String, Pod> pods = new LinkedHashMap<>();
    Map<String, Path> names = new HashMap<>();
    if (!Files.isDirectory(directory)) {
      return pods;
    }
    try (Stream<Path> all = Files.list(directory)) {
      // When two files declare the same pod, the older declaration wins.
      List<Path> files =
          all.filter(ManifestDirectory::isManifest)
              .sorted(
                  Comparator.comparing((Path file) -> !earlier.containsKey(file))
                      .thenComparing(file -> file))
              .toList();
      mistakes.keySet().retainAll(files);
      earlier.keySet().retainAll(files);
      for (Path file : files) {
        try {
          Pod pod = read(file);
          requireNew(pod, names.putIfAbsent(name(pod), file));
          pods.put(pod.getMetadata().getUid(), pod);
          mistakes.remove(file);
          earlier.put(file, new Earlier(pod, 0));
        } catch (IOException | RuntimeException e) {
          // One bad file must not affect the others.
          logMistake(file, ManifestErrors.inOneLine(e));
          Pod before = stillWanted(file);
          if (before != null) {
            pods.put(before.getMetadata().getUid(), before);
          }
        }
      }
    }
    return pods;
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
  }

  private static void requireNew(Pod pod, @Nullable Path other) {
    if (other != null) {
      throw new IllegalArgumentException(
          "pod %s is in %s already; give it another name".formatted(name(pod), other));
    }
  }

  /// The last usable content, while the file may still be being written.
  private @Nullable Pod stillWanted(Path file) {
    Earlier last =
        earlier.computeIfPresent(
            file,
            (_, known) ->
                known.failures() < PATIENCE
                    ? new Earlier(known.pod(), known.failures() + 1)
                    : null);
    return last == null ? null : last.pod();
  }

  /// The last error of each unusable file.
  Map<Path, String> mistakes() {
    return mistakes;
  }

  private Pod read(Path file) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new IllegalArgumentException("the file is larger than %d bytes".formatted(LARGEST));
    }
    JsonNode written = YAML.readTree(Files.readString(file));
    if (!written.isObject()) {
      throw new IllegalArgumentException(StaticPod.NO_POD);
    }
    Pod pod = StaticPod.of(YAML.treeToValue(written, Pod.class), file, canonical(written), node);
    ManifestNames.check(pod);
    return pod;
  }

  /// The content in canonical form: comments and field order mean nothing.
  private static String canonical(JsonNode written) throws IOException {
    return SORTED.writeValueAsString(YAML.treeToValue(written, Object.class));
  }

  private void logMistake(Path file, String mistake) {
    if (!mistake.equals(mistakes.put(file, mistake))) {
      log.warn("manifest cannot be used file={} reason={}", file, mistake);
    }
  }

  private static boolean isManifest(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith(".") && Files.isRegularFile(file);
  }
}
