package dev.berth.agent.usage;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.pressure.SignalReadings.Reading;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/// The free space of a disk.
///
/// @param device equal for two directories on one disk
/// @param inodes zero of zero for a file system without a limit
public record FreeDiskSpace(long device, Reading bytes, Reading inodes) {
  /// `struct statvfs` of 64-bit Linux: the fields read here are its second to eighth.
  private static final long STRUCT_BYTES = 112;

  private static final int UNIT = 1;
  private static final int BLOCKS = 2;
  private static final int BLOCKS_LEFT = 4;
  private static final int INODES = 5;
  private static final int INODES_LEFT = 7;

  /// Java does not report inodes.
  private static final MethodHandle STATVFS = statvfs();

  @SuppressWarnings("restricted") // The launcher allows it.
  private static MethodHandle statvfs() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("statvfs"),
        FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  }

  /// The free fraction, between 0 and 1.
  public double partLeft() {
    return (double) bytes.available() / Math.max(1, bytes.capacity());
  }

  /// The space in use.
  public DiskUsage used() {
    return new DiskUsage(
        bytes.capacity() - bytes.available(), inodes.capacity() - inodes.available());
  }

  /// The disk of a directory.
  public static FreeDiskSpace of(Path directory) throws IOException {
    long device = ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(STRUCT_BYTES, JAVA_LONG.byteAlignment());
      int failed = (int) STATVFS.invokeExact(arena.allocateFrom(directory.toString()), numbers);
      if (failed != 0) {
        throw new IOException(
            "the file system of %s does not report its size".formatted(directory));
      }
      long unit = numbers.getAtIndex(JAVA_LONG, UNIT);
      return new FreeDiskSpace(
          device,
          new Reading(
              unit * numbers.getAtIndex(JAVA_LONG, BLOCKS_LEFT),
              unit * numbers.getAtIndex(JAVA_LONG, BLOCKS)),
          new Reading(
              numbers.getAtIndex(JAVA_LONG, INODES_LEFT), numbers.getAtIndex(JAVA_LONG, INODES)));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(
          "statvfs cannot be called", e); // statvfs itself throws nothing.
    }
  }
}
