package dev.berth.agent.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// Mount system calls; they need root.
public final class MountCalls {
  private static final int NO_SET_USER = 2;
  private static final int NO_DEVICES = 4;
  private static final int BIND = 4096;
  private static final int NO_LINK = 8;

  private MountCalls() {}

  /// Mounts a new file system with `nodev` and `nosuid`.
  ///
  /// @param target only the agent can change its path
  public static void fileSystem(String type, Path target, String options) throws IOException {
    mount(type, target, type, NO_SET_USER | NO_DEVICES, options);
  }

  /// Bind-mounts this very file or directory, whatever has its name by now.
  ///
  /// @param target only the agent can change its path
  public static void bind(FileHandle source, Path target) throws IOException {
    mount(source.descriptorPath().toString(), target, "none", BIND, "");
  }

  private static void mount(String source, Path target, String type, int flags, String options)
      throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.mount(source, target.toString(), type, flags, options);
    } catch (FileSystemException e) {
      throw new IOException(
          "mount of %s with options \"%s\" failed: %s".formatted(type, options, e), e);
    }
  }

  public static void unmount(Path target) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      calls.unmount(target.toString(), NO_LINK);
    } catch (FileSystemException e) {
      throw new IOException("umount failed: " + e, e);
    }
  }
}
