package dev.berth.vm;

import dev.berth.vm.kernel.GuestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The files of the guest's kernel, looked for again only when a directory of kernels has changed:
/// reading a kernel takes as long as restoring a machine.
final class KnownGuestFiles implements Supplier<GuestFiles> {
  private static final List<String> PLACES = List.of("boot", "lib/modules");

  private final Supplier<GuestFiles> source;
  private final List<Path> roots;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock, like the one below.
  private @Nullable GuestFiles known;

  private String version = "";

  KnownGuestFiles(Supplier<GuestFiles> source, List<Path> roots) {
    this.source = source;
    this.roots = List.copyOf(roots);
  }

  @Override
  public GuestFiles get() {
    lock.lock();
    try {
      String current = version();
      GuestFiles files = known;
      if (files == null
          || !current.equals(version)
          || !Files.isReadable(files.kernel())
          || !Files.isReadable(files.initramfs())) {
        files = source.get();
        known = files;
        version = current;
      }
      return files;
    } finally {
      lock.unlock();
    }
  }

  /// A package that is installed, upgraded or removed changes the entries of a directory.
  private String version() {
    StringBuilder times = new StringBuilder();
    for (Path root : roots) {
      for (String place : PLACES) {
        try {
          times.append(Files.getLastModifiedTime(root.resolve(place))).append(' ');
        } catch (IOException _) {
          times.append("- ");
        }
      }
    }
    return times.toString();
  }
}
