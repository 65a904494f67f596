package dev.berth.checks.platforms;

import dev.berth.checks.containerd.Commands;
import dev.berth.checks.contract.DebianRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An image of busybox with an index, in a registry.
///
/// @param name by which a pod names it
/// @param manifests digests by platform, such as `linux/arm64`
record MultiArchitectureImage(String name, Map<String, String> manifests) {
  private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
  private static final String INDEX = "application/vnd.oci.image.index.v1+json";

  /// @param programs busybox by platform: `linux/arm/v7`
  static MultiArchitectureImage push(
      DebianRegistry registry, String repository, Map<String, Path> programs, Path work)
      throws Exception {
    Map<String, String> manifests = new LinkedHashMap<>();
    List<String> entries = new ArrayList<>();
    for (Map.Entry<String, Path> program : programs.entrySet()) {
      String platform = platform(program.getKey());
      String manifest = manifest(registry, repository, platform, program.getValue(), work);
      String digest = registry.putManifest(repository, "", MANIFEST, manifest);
      manifests.put(program.getKey(), digest);
      entries.add(
          "{\"mediaType\": \"%s\", \"size\": %d, \"digest\": \"%s\", \"platform\": {%s}}"
              .formatted(MANIFEST, manifest.length(), digest, platform));
    }
    registry.putManifest(
        repository,
        "1",
        INDEX,
        "{\"schemaVersion\": 2, \"mediaType\": \"%s\", \"manifests\": [%s]}"
            .formatted(INDEX, String.join(", ", entries)));
    return new MultiArchitectureImage(registry.host() + "/" + repository + ":1", manifests);
  }

  private static String platform(String text) {
    String[] parts = text.split("/", -1);
    return "\"os\": \"%s\", \"architecture\": \"%s\"".formatted(parts[0], parts[1])
        + (parts.length == 3 ? ", \"variant\": \"%s\"".formatted(parts[2]) : "");
  }

  private static String manifest(
      DebianRegistry registry, String repository, String platform, Path busybox, Path work)
      throws Exception {
    byte[] layer = layer(busybox, work);
    String config =
        "{%s, \"config\": {}, \"rootfs\": {\"type\": \"layers\", \"diff_ids\": [\"%s\"]}}"
            .formatted(platform, DebianRegistry.digest(layer));
    byte[] configuration = config.getBytes(StandardCharsets.UTF_8);
    return """
        {"schemaVersion": 2, "mediaType": "%s",
         "config": {"mediaType": "application/vnd.oci.image.config.v1+json", "size": %d, "digest": "%s"},
         "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar", "size": %d, "digest": "%s"}]}
        """
        .formatted(
            MANIFEST,
            configuration.length,
            registry.putBlob(repository, configuration),
            layer.length,
            registry.putBlob(repository, layer));
  }

  private static byte[] layer(Path busybox, Path work) throws IOException {
    Path root = Files.createTempDirectory(work, "root");
    Path programs = Files.createDirectories(root.resolve("bin"));
    Files.copy(busybox, programs.resolve("busybox"));
    Files.createSymbolicLink(programs.resolve("sh"), Path.of("busybox"));
    Path archive = root.resolveSibling(root.getFileName() + ".tar");
    Commands.run(
        List.of(
            "tar", "-C", root.toString(), "--owner=0", "--group=0", "-cf", archive + "", "bin"));
    return Files.readAllBytes(archive);
  }
}
