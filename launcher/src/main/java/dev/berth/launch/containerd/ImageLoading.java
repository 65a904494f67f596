package dev.berth.launch.containerd;

import dev.berth.api.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Brings images from an archive into a containerd, which CRI cannot.
public final class ImageLoading {
  /// Archives may be large and disks slow.
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private ImageLoading() {}

  /// Makes the demo image of this machine's busybox and loads it.
  public static List<String> loadDemo(Path socket) {
    Path busybox = RuntimePrograms.ofThisMachine().found().get("busybox");
    if (busybox == null) {
      throw new ContainerdException(
          new Problem(
              "the image %s cannot be made".formatted(LocalImages.DEMO),
              "no busybox without libraries is installed here",
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

  /// Loads all images of an archive; says what containerd's client told, a line per image.
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
              "the images of %s could not be loaded".formatted(archive),
              String.valueOf(e.getMessage()),
              "Check that it is an archive of `docker save` or an OCI layout, and that containerd runs"));
    }
  }
}
