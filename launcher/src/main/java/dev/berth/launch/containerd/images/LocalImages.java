package dev.berth.launch.containerd.images;

import dev.berth.launch.containerd.programs.ProgramRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// The images that every private containerd has from the start, because a registry may be
/// unreachable.
public final class LocalImages {
  /// A shell and small tools; the default command prints a greeting and waits.
  public static final String DEMO = "berth.dev/demo:1";

  /// The sandbox image.
  public static final String PAUSE = "berth.dev/pause:1";

  /// Exits at once on a signal, and reaps orphans in pods that share a process namespace.
  private static final String WAIT = "trap 'exit 0' INT TERM; while :; do sleep 86400 & wait; done";

  private LocalImages() {}

  public static List<String> names() {
    return List.of(PAUSE, DEMO);
  }

  public static void write(Path busybox, Path archive) throws IOException {
    Path unfinished = archive.resolveSibling(archive.getFileName() + ".new");
    withDemo(of(busybox).image(PAUSE, List.of("/bin/sh", "-c", WAIT))).write(unfinished);
    Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
  }

  /// Writes an archive with the image of the tour alone.
  public static void writeDemo(Path busybox, Path archive) throws IOException {
    withDemo(of(busybox)).write(archive);
  }

  private static ImageArchive withDemo(ImageArchive archive) {
    return archive.image(DEMO, List.of("/bin/sh", "-c", "echo hello from $(hostname); " + WAIT));
  }

  private static ImageArchive of(Path busybox) throws IOException {
    List<String> tools = ProgramRunner.run(List.of(busybox.toString(), "--list")).lines().toList();
    return ImageArchive.of(
        busybox, tools.stream().filter(tool -> !tool.equals("busybox")).toList());
  }
}
