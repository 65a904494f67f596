package dev.berth.agent.volumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;

/// A part of a volume that a container asks for.
final class SubPath {
  private static final int SET_GROUP = 02000;

  private SubPath() {}

  /// Where the part is; made as a folder if it is not there, which whoever may write in the volume
  /// may write in as well.
  static Path make(Path volume, String subPath) throws IOException {
    Path part = volume.resolve(subPath).normalize();
    if (!part.startsWith(volume)) {
      throw new OutsideException();
    }
    make(part, volume.toRealPath());
    return part;
  }

  /// Never through a link out of the volume.
  private static void make(Path part, Path volume) throws IOException {
    if (Files.exists(part)) {
      return;
    }
    Path parent = Objects.requireNonNull(part.getParent());
    make(parent, volume);
    if (!parent.toRealPath().startsWith(volume)) {
      throw new OutsideException();
    }
    Files.createDirectory(part);
    int mode = (Integer) Files.getAttribute(volume, "unix:mode") & 07777;
    if ((mode & SET_GROUP) != 0) {
      Object group = Files.getAttribute(volume, "unix:gid");
      Files.setAttribute(part, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
    }
    Files.setAttribute(part, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
  }
}
