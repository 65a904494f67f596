package dev.berth.launch.containerd.images;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/// Images that contain only a static busybox, as an archive that runtimes can load. They differ in
/// their command. The format is that of `docker save`, which every runtime reads. Used by one
/// thread.
public final class ImageArchive {
  private final byte[] layer;
  private final TarWriter archive = new TarWriter();
  private final List<String> manifests = new ArrayList<>();

  private ImageArchive(byte[] layer) {
    this.layer = layer;
    archive.file("root.tar", 0644, layer);
  }

  /// Images of a busybox.
  ///
  /// @param tools the names under which busybox is to be found in `/bin`
  public static ImageArchive of(Path busybox, List<String> tools) throws IOException {
    TarWriter layer =
        new TarWriter()
            .directory("bin")
            .directory("tmp")
            .directory("etc")
            .file("etc/passwd", 0644, bytes("root:x:0:0:root:/root:/bin/sh\n"))
            .file("bin/busybox", 0755, Files.readAllBytes(busybox));
    tools.forEach(tool -> layer.link("bin/" + tool, "busybox"));
    return new ImageArchive(layer.finish());
  }

  /// Adds an image.
  ///
  /// @param command words without quotes and backslashes, which would need escapes
  public ImageArchive image(String tag, List<String> command) {
    String config = "config-%d.json".formatted(manifests.size());
    archive.file(config, 0644, bytes(config(command)));
    manifests.add(
        "{\"Config\":\"%s\",\"RepoTags\":[\"%s\"],\"Layers\":[\"root.tar\"]}"
            .formatted(config, tag));
    return this;
  }

  /// Writes all images; afterwards no image can be added.
  public void write(Path file) throws IOException {
    archive.file("manifest.json", 0644, bytes("[" + String.join(",", manifests) + "]"));
    Files.write(file, archive.finish());
  }

  private String config(List<String> command) {
    String architecture = System.getProperty("os.arch", "").equals("aarch64") ? "arm64" : "amd64";
    String words = command.stream().map(word -> '"' + word + '"').collect(Collectors.joining(","));
    return """
        {"architecture":"%s","os":"linux",\
        "config":{"Cmd":[%s],"Env":["PATH=/bin"]},\
        "rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}\
        """
        .formatted(architecture, words, sha256(layer));
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
