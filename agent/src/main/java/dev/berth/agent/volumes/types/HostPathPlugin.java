package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.VolumeException;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Files and directories of the node itself.
final class HostPathPlugin implements VolumePlugin {
  private static final int FILE_TYPE = 0170000;
  private static final int SOCKET = 0140000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final int BLOCK_DEVICE = 0060000;

  @Override
  public String field() {
    return "hostPath";
  }

  @Override
  public boolean serves(Volume volume) {
    return volume.getHostPath() != null;
  }

  @Override
  public Path root(PodVolume volume) {
    return Path.of(volume.volume().getHostPath().getPath());
  }

  @Override
  public boolean isOfHost() {
    return true;
  }

  /// Checks that the path is of the type that the pod asks for.
  @Override
  public void prepare(PodVolume volume) throws IOException {
    HostPathVolumeSource source = volume.volume().getHostPath();
    Path path = root(volume);
    switch (Objects.requireNonNullElse(source.getType(), "")) {
      case "" -> {}
      case "DirectoryOrCreate" -> {
        if (!Files.exists(path)) {
          Files.createDirectories(path);
        }
        require(Files.isDirectory(path), path, "a directory");
      }
      case "FileOrCreate" -> {
        if (!Files.exists(path)) {
          Files.createFile(path);
        }
        require(Files.isRegularFile(path), path, "a file");
      }
      case "Directory" -> require(Files.isDirectory(path), path, "a directory");
      case "File" -> require(Files.isRegularFile(path), path, "a file");
      case "Socket" -> require(isOfType(path, SOCKET), path, "a socket file");
      case "CharDevice" -> require(isOfType(path, CHARACTER_DEVICE), path, "a character device");
      case "BlockDevice" -> require(isOfType(path, BLOCK_DEVICE), path, "a block device");
      default ->
          throw new VolumeException("hostPath type check failed: unknown type " + source.getType());
    }
  }

  private static boolean isOfType(Path path, int type) throws IOException {
    return Files.exists(path)
        && ((Integer) Files.getAttribute(path, "unix:mode") & FILE_TYPE) == type;
  }

  private static void require(boolean fits, Path path, String what) {
    if (!fits) {
      throw new VolumeException("hostPath type check failed: %s is not %s".formatted(path, what));
    }
  }
}
