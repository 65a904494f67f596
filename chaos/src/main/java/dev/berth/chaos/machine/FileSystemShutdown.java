package dev.berth.chaos.machine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// The kernel's `FS_IOC_SHUTDOWN`. The file system loses everything that it has not written, as in
/// a power cut, and fails every later call with an I/O error. Java has no `ioctl`, so that it is
/// called through the foreign function interface. It needs root and ext4 or XFS.
final class FileSystemShutdown {
  /// `_IOR('X', 125, __u32)` of `linux/fs.h`.
  private static final long FS_IOC_SHUTDOWN = 0x8004587dL;

  /// `FS_SHUTDOWN_FLAGS_NOLOGFLUSH`: the journal in memory is not written either.
  private static final int WITHOUT_FLUSH = 2;

  private static final int O_RDONLY = 0;

  private final MethodHandle open;
  private final MethodHandle ioctl;
  private final MethodHandle close;

  FileSystemShutdown() {
    Linker linker = Linker.nativeLinker();
    open =
        find(
            linker,
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            // `open` and `ioctl` are variadic, which matters to the calling convention of some
            // processors.
            Linker.Option.firstVariadicArg(2));
    ioctl =
        find(
            linker,
            "ioctl",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS),
            Linker.Option.firstVariadicArg(2));
    close =
        find(linker, "close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  @SuppressWarnings("restricted") // The JVM of a run allows native access.
  private static MethodHandle find(
      Linker linker, String name, FunctionDescriptor shape, Linker.Option... options) {
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), shape, options);
  }

  void apply(Path mountPoint) throws IOException {
    try (Arena memory = Arena.ofConfined()) {
      int file = (int) open.invokeExact(memory.allocateFrom(mountPoint.toString()), O_RDONLY);
      if (file < 0) {
        throw new IOException("cannot open " + mountPoint);
      }
      MemorySegment flags = memory.allocateFrom(ValueLayout.JAVA_INT, WITHOUT_FLUSH);
      int result = (int) ioctl.invokeExact(file, FS_IOC_SHUTDOWN, flags);
      int closed = (int) close.invokeExact(file);
      if (result != 0 || closed != 0) {
        throw new IOException("the file system at " + mountPoint + " cannot be shut down");
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }
}
