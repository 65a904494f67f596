package dev.berth.vm.images;

import dev.berth.registry.transport.ContentDigest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// An image out of layers, as registries and archives have it.
///
/// @param config JSON
/// @param layers blobs
record TestImage(String config, List<byte[]> layers) {
  static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
  private static final String CONFIG = "application/vnd.oci.image.config.v1+json";

  TestImage {
    layers = List.copyOf(layers);
  }

  /// With layers that are compressed by gzip.
  static TestImage of(byte[]... tars) {
    return of("linux", "amd64", List.of(tars));
  }

  static TestImage of(String os, String architecture, List<byte[]> tars) {
    return new TestImage(
        config(os, architecture, tars), tars.stream().map(TarBuilder::gzip).toList());
  }

  static String config(String os, String architecture, List<byte[]> tars) {
    String digests =
        tars.stream()
            .map(tar -> "\"" + ContentDigest.of(tar) + "\"")
            .collect(Collectors.joining(","));
    return """
        {"os":"%s","architecture":"%s","rootfs":{"type":"layers","diff_ids":[%s]},
        "config":{"Entrypoint":["/bin/sh"],"Cmd":["-c","date"],"Env":["A=b"],"WorkingDir":"/srv",
        "User":"7:8","StopSignal":"SIGQUIT","Volumes":{"/data":{}}}}
        """
        .formatted(os, architecture, digests);
  }

  /// The digest of the configuration.
  String id() {
    return ContentDigest.of(config.getBytes(StandardCharsets.UTF_8));
  }

  /// The configuration and the layers.
  List<byte[]> blobs() {
    List<byte[]> blobs = new ArrayList<>(layers);
    blobs.add(config.getBytes(StandardCharsets.UTF_8));
    return blobs;
  }

  String manifest() {
    return """
        {"schemaVersion":2,"mediaType":"%s","config":%s,"layers":[%s]}
        """
        .formatted(
            MANIFEST,
            descriptor(CONFIG, config.getBytes(StandardCharsets.UTF_8)),
            layers.stream()
                .map(layer -> descriptor("application/vnd.oci.image.layer.v1.tar+gzip", layer))
                .collect(Collectors.joining(",")));
  }

  static String descriptor(String type, byte[] content) {
    return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}"
        .formatted(type, ContentDigest.of(content), content.length);
  }
}
