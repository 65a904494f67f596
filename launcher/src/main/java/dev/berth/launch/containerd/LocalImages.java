package dev.berth.launch.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// The images that every containerd of ours has from the start, because no registry may be in
/// reach.
public final class LocalImages {
  /// A shell and the usual small tools; by itself it greets and waits.
  public static final String DEMO = "berth.dev/demo:1";

  /// What holds the namespaces of a sandbox.
  static final String PAUSE = "berth.dev/pause:1";

  /// Ends at once when asked to, and takes up the orphans of pods that share their processes.
  private static final String WAIT = "trap 'exit 0' INT TERM; while :; do sleep 86400 & wait; done";

  private LocalImages() {}

  static List<String> names() {
    return List.of(PAUSE, DEMO);
  }

  static void write(Path busybox, Path archive) throws IOException {
    Path unfinished = archive.resolveSibling(archive.getFileName() + ".new");
    withDemo(of(busybox).image(PAUSE, List.of("/bin/sh", "-c", WAIT))).write(unfinished);
    Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
  }

  static void writeDemo(Path busybox, Path archive) throws IOException {
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
