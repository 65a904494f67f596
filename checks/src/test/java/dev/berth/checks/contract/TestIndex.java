package dev.berth.checks.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// An image for several platforms that was pushed to a registry; its only layer is an empty
/// archive.
///
/// @param digest of the index
/// @param configs digests of the configurations, in the index's order
/// @param layer digest of the layer
public record TestIndex(String digest, List<String> configs, String layer) {
  /// Of this machine, in Go's words.
  static final String ARCHITECTURE =
      System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";

  /// The platform of this machine, as images write it.
  public static final String HERE =
      "\"os\":\"linux\",\"architecture\":\"%s\"".formatted(ARCHITECTURE);

  private static final String INDEX = "application/vnd.oci.image.index.v1+json";
  private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
  private static final byte[] LAYER = new byte[1024];

  public TestIndex {
    configs = List.copyOf(configs);
  }

  public static TestIndex push(
      DebianRegistry registry, String repository, String tag, String... platforms)
      throws Exception {
    return push(registry, repository, tag, LAYER, true, platforms);
  }

  /// @param told whether the entries of the index say what they are for
  static TestIndex push(
      DebianRegistry registry,
      String repository,
      String tag,
      byte[] content,
      boolean told,
      String... platforms)
      throws Exception {
    String layer = registry.putBlob(repository, content);
    List<String> configs = new ArrayList<>();
    List<String> entries = new ArrayList<>();
    for (String platform : platforms) {
      byte[] config =
          "{%s,\"config\":{\"Cmd\":[\"web\"],\"User\":\"1000\"},\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"%s\"]}}"
              .formatted(platform, layer)
              .getBytes(StandardCharsets.UTF_8);
      configs.add(registry.putBlob(repository, config));
      String manifest =
          """
          {"schemaVersion":2,"mediaType":"%s",
           "config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"%s","size":%d},
           "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"%s","size":%d}]}
          """
              .formatted(MANIFEST, configs.getLast(), config.length, layer, content.length);
      String digest = registry.putManifest(repository, "", MANIFEST, manifest);
      entries.add(
          "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d%s}"
              .formatted(
                  MANIFEST,
                  digest,
                  manifest.length(),
                  told ? ",\"platform\":{%s}".formatted(platform) : ""));
    }
    String index =
        "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"manifests\":[%s]}"
            .formatted(INDEX, String.join(",", entries));
    return new TestIndex(registry.putManifest(repository, tag, INDEX, index), configs, layer);
  }
}
