package dev.berth.checks.containerd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/// The images of tests, made of Debian's static busybox, because no registry can be reached.
public final class TestImages {
  /// A shell and the usual small tools; without a command of its own it prints `hello` and ends.
  public static final String BUSYBOX = "test.berth.dev/busybox:1";

  /// What holds the namespaces of a sandbox.
  public static final String PAUSE = "test.berth.dev/pause:1";

  private static final List<String> TOOLS =
      List.of(
          "sh",
          "sleep",
          "echo",
          "cat",
          "true",
          "false",
          "touch",
          "rm",
          "ls",
          "env",
          "printf",
          "hostname",
          "id",
          "test",
          "[",
          "kill",
          "nc",
          "head",
          "stat");

  private TestImages() {}

  /// Writes both images into one archive that `ctr images import` takes.
  static void write(Path busybox, Path archive) throws IOException {
    Tar layer =
        new Tar()
            .folder("bin")
            .folder("tmp")
            .folder("etc")
            .file("etc/passwd", 0644, text("root:x:0:0:root:/root:/bin/sh\n"))
            .file("bin/busybox", 0755, Files.readAllBytes(busybox));
    TOOLS.forEach(tool -> layer.link("bin/" + tool, "busybox"));
    byte[] root = layer.finish();
    byte[] pause = config(root, "\"/bin/sleep\",\"2147483647\"");
    byte[] tools = config(root, "\"/bin/echo\",\"hello\"");
    String manifest =
        "[%s,%s]".formatted(manifest("pause.json", PAUSE), manifest("busybox.json", BUSYBOX));
    byte[] image =
        new Tar()
            .file("root.tar", 0644, root)
            .file("pause.json", 0644, pause)
            .file("busybox.json", 0644, tools)
            .file("manifest.json", 0644, text(manifest))
            .finish();
    Files.write(archive, image);
  }

  private static String manifest(String config, String tag) {
    return "{\"Config\":\"%s\",\"RepoTags\":[\"%s\"],\"Layers\":[\"root.tar\"]}"
        .formatted(config, tag);
  }

  private static byte[] config(byte[] layer, String command) {
    String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    return text(
        """
        {"architecture":"%s","os":"linux",\
        "config":{"Cmd":[%s],"Env":["PATH=/bin"]},\
        "rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}\
        """
            .formatted(architecture, command, sha256(layer)));
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] text(String content) {
    return content
        .lines()
        .collect(Collectors.joining("\n", "", "\n"))
        .getBytes(StandardCharsets.UTF_8);
  }
}
