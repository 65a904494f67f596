package dev.berth.vm.template;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.LockSupport;

/// A file in memory that holds a guest's memory. QEMU opens a clone's memory for writing although
/// it only maps it copy-on-write; the seal keeps a QEMU that its guest took over from writing to
/// the memory of all other clones.
///
/// It lives as long as this process or a machine that maps it.
@SuppressWarnings("restricted") // Calls of the C library, with the types that it declares.
final class SealedMemory {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle MEMFD_CREATE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("memfd_create"),
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle FCNTL =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("fcntl"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private static final int MFD_CLOEXEC_AND_ALLOW_SEALING = 3;
  private static final int F_ADD_SEALS = 1033;

  /// No further seals, no shrinking, no growing, no writing.
  private static final int ALL_SEALS = 0xf;

  private static final long SEAL_NANOS = 10_000_000_000L;

  private final int descriptor;

  private SealedMemory(int descriptor) {
    this.descriptor = descriptor;
  }

  /// @param name for lists of open files
  static SealedMemory create(String name, long size) throws IOException {
    SealedMemory memory;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      memory =
          new SealedMemory(
              checked(
                  (int) MEMFD_CREATE.invokeExact(text, MFD_CLOEXEC_AND_ALLOW_SEALING),
                  "memfd_create"));
    } catch (IOException | RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException("the C library cannot be called", impossible);
    }
    try (RandomAccessFile file = new RandomAccessFile(memory.path().toFile(), "rw")) {
      file.setLength(size);
    }
    // Processes get it as an open file only; a clone's QEMU has another user.
    Files.setPosixFilePermissions(memory.path(), PosixFilePermissions.fromString("rw-rw-rw-"));
    return memory;
  }

  /// Also valid for root's other processes, such as the launcher.
  Path path() {
    return Path.of("/proc/%d/fd/%d".formatted(ProcessHandle.current().pid(), descriptor));
  }

  FileChannel open() throws IOException {
    return FileChannel.open(path(), StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /// From now on nobody can change it. The kernel refuses for a moment after the last process that
  /// had it mapped for writing.
  void seal() throws IOException {
    long deadline = System.nanoTime() + SEAL_NANOS;
    while (!sealed()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the memory of a saved machine is still in use by somebody");
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  private boolean sealed() {
    try {
      return (int) FCNTL.invokeExact(descriptor, F_ADD_SEALS, ALL_SEALS) == 0;
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException("the C library cannot be called", impossible);
    }
  }

  void close() {
    try {
      int _ = (int) CLOSE.invokeExact(descriptor);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException("the C library cannot be called", impossible);
    }
  }

  private static int checked(int result, String what) throws IOException {
    if (result < 0) {
      throw new IOException(what + " failed");
    }
    return result;
  }
}
