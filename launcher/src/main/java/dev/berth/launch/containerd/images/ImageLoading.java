package dev.berth.launch.containerd.images;

import dev.berth.api.Problem;
import dev.berth.launch.containerd.programs.ContainerdException;
import dev.berth.launch.containerd.programs.ProgramRunner;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Loads images from an archive into a containerd; CRI has no call for it.
public final class ImageLoading {
  /// Archives may be large and disks slow.
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private ImageLoading() {}

  /// Builds the demo image from this machine's busybox and loads it.
  public static List<String> loadDemo(Path socket) {
    Path busybox = RuntimePrograms.ofThisMachine().found().get("busybox");
    if (busybox == null) {
      throw new ContainerdException(
          new Problem(
              "the image %s cannot be created".formatted(LocalImages.DEMO),
              "no statically linked busybox is installed",
              "Install Debian's busybox-static"));
    }
    try {
      Path archive = Files.createTempFile("berth-demo", ".tar");
      try {
        LocalImages.writeDemo(busybox, archive);
        return load(socket, archive);
      } finally {
        Files.delete(archive);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Loads all images of an archive and returns the output of `ctr`, a line per image.
  public static List<String> load(Path socket, Path archive) {
    try {
      return ProgramRunner.run(
              List.of(
                  "ctr", "-a", socket.toString(), "-n", "k8s.io", "images", "import", archive + ""),
              LIMIT)
          .lines()
          .filter(line -> !line.isBlank())
          .toList();
    } catch (IOException e) {
      throw new ContainerdException(
          new Problem(
              "the images of %s cannot be loaded".formatted(archive),
              String.valueOf(e.getMessage()),
              "Check that the file is an archive of `docker save` or an OCI layout, and that containerd runs"));
    }
  }
}
