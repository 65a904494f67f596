package dev.berth.checks.containerd;

import dev.berth.launch.containerd.images.ImageArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The images of tests, made of Debian's static busybox, because no registry can be reached.
public final class TestImages {
  /// A shell and the usual small tools; without a command of its own it prints `hello` and ends.
  public static final String BUSYBOX = "test.berth.dev/busybox:1";

  /// What holds the namespaces of a sandbox.
  public static final String PAUSE = "test.berth.dev/pause:1";

  /// One of which no container is made.
  public static final String UNUSED = "test.berth.dev/unused:1";

  private static final List<String> TOOLS =
      List.of(
          "sh",
          "tar",
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
          "tail",
          "stat",
          "mkdir",
          "ln",
          "chmod",
          "base64");

  private TestImages() {}

  /// Writes an archive with the image that nobody uses.
  public static Path writeUnused(Path archive) throws IOException {
    ImageArchive.of(Path.of("/usr/bin/busybox"), List.of("sh"))
        .image(UNUSED, List.of("/bin/sh"))
        .write(archive);
    return archive;
  }

  /// Writes both images into one archive that `ctr images import` takes.
  public static void write(Path archive) throws IOException {
    ImageArchive.of(Path.of("/usr/bin/busybox"), TOOLS)
        .image(PAUSE, List.of("/bin/sleep", "2147483647"))
        .image(BUSYBOX, List.of("/bin/echo", "hello"))
        .write(archive);
  }
}
