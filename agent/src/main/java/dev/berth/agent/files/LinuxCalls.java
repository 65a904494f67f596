package dev.berth.agent.files;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// System calls on files, with their memory. Confined to one thread. File names are bytes:
/// containers may use any.
final class LinuxCalls implements AutoCloseable {
  /// AT_FDCWD: used with absolute paths only.
  static final int NO_DIRECTORY = -100;

  static final int AT_REMOVEDIR = 0x200;
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_MOUNT = 0x1000;
  private static final int STATX_BASIC_AND_MOUNT = 0x7ff | STATX_MOUNT;

  /// PATH_MAX, with the final zero byte.
  private static final int LONGEST_PATH = 4096;

  private static final int STATX_BYTES = 256;
  private static final byte[] EMPTY = {};

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment state = arena.allocate(LibraryFunctions.STATE);
  private final MemorySegment first = arena.allocate(LONGEST_PATH);
  private final MemorySegment second = arena.allocate(LONGEST_PATH);
  private final MemorySegment status = arena.allocate(STATX_BYTES, JAVA_LONG.byteAlignment());

  /// Calls a function that returns an `int`.
  ///
  /// @param subject what a failure's message names
  private int call(Object subject, MethodHandle function, long a, long b, long c, long d, long e)
      throws IOException {
    int result = (int) invoke(function, a, b, c, d, e);
    return (int) checked(result, subject);
  }

  private long checked(long result, Object subject) throws IOException {
    if (result < 0) {
      int error = (int) LibraryFunctions.ERRNO.get(state, 0L);
      throw CallFailure.of(error, subject, LibraryFunctions.describe(error, state));
    }
    return result;
  }

  private long invoke(MethodHandle function, long a, long b, long c, long d, long e) {
    try {
      return (long) function.invokeExact(state, a, b, c, d, e);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      // It throws nothing.
      throw new IllegalStateException("the C library cannot be called", failure);
    }
  }

  private static long text(MemorySegment place, byte[] bytes) throws IOException {
    if (bytes.length >= LONGEST_PATH) {
      throw CallFailure.tooLong(new String(bytes, StandardCharsets.UTF_8));
    }
    MemorySegment.copy(bytes, 0, place, JAVA_BYTE, 0, bytes.length);
    place.set(JAVA_BYTE, bytes.length, (byte) 0);
    return place.address();
  }

  static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  int open(int directory, byte[] name, int flags, int mode, Object subject) throws IOException {
    long all = flags | OpenFlags.CLOSE_ON_EXEC;
    return call(subject, LibraryFunctions.OPENAT, directory, text(first, name), all, mode, 0);
  }

  void makeDirectory(int directory, byte[] name, int mode, Object subject) throws IOException {
    call(subject, LibraryFunctions.MKDIRAT, directory, text(first, name), mode, 0, 0);
  }

  void remove(int directory, byte[] name, int flags, Object subject) throws IOException {
    call(subject, LibraryFunctions.UNLINKAT, directory, text(first, name), flags, 0, 0);
  }

  void rename(int directory, byte[] from, int other, byte[] to, Object subject) throws IOException {
    call(
        subject,
        LibraryFunctions.RENAMEAT,
        directory,
        text(first, from),
        other,
        text(second, to),
        0);
  }

  void link(byte[] target, int directory, byte[] name, Object subject) throws IOException {
    call(
        subject,
        LibraryFunctions.SYMLINKAT,
        text(first, target),
        directory,
        text(second, name),
        0,
        0);
  }

  /// The target of a link that was opened with O_PATH.
  byte[] readLink(int descriptor, Object subject) throws IOException {
    long path = text(first, EMPTY);
    long length =
        checked(
            invoke(
                LibraryFunctions.READLINKAT, descriptor, path, second.address(), LONGEST_PATH, 0),
            subject);
    return second.asSlice(0, length).toArray(JAVA_BYTE);
  }

  FileStatus status(int descriptor, Object subject) throws IOException {
    return status(descriptor, EMPTY, subject);
  }

  /// The status of the entry itself, without following a link.
  FileStatus status(int directory, byte[] name, Object subject) throws IOException {
    int flags = name.length == 0 ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW;
    call(
        subject,
        LibraryFunctions.STATX,
        directory,
        text(first, name),
        flags,
        STATX_BASIC_AND_MOUNT,
        status.address());
    boolean hasMount = (status.get(JAVA_INT, 0) & STATX_MOUNT) != 0;
    long major = status.get(JAVA_INT, 0x88);
    return new FileStatus(
        Short.toUnsignedInt(status.get(JAVA_SHORT, 0x1c)),
        status.get(JAVA_INT, 0x14),
        status.get(JAVA_INT, 0x18),
        status.get(JAVA_INT, 0x10),
        status.get(JAVA_LONG, 0x28),
        status.get(JAVA_LONG, 0x30),
        (major << 32) | Integer.toUnsignedLong(status.get(JAVA_INT, 0x8c)),
        status.get(JAVA_LONG, 0x20),
        hasMount ? status.get(JAVA_LONG, 0x90) : 0);
  }

  void setMode(int descriptor, int mode, Object subject) throws IOException {
    call(subject, LibraryFunctions.FCHMOD, descriptor, mode, 0, 0, 0);
  }

  /// @param user -1 for no change; the group likewise
  void setOwner(int descriptor, int user, int group, Object subject) throws IOException {
    call(subject, LibraryFunctions.FCHOWN, descriptor, user, group, 0, 0);
  }

  void seek(int descriptor, long position, Object subject) throws IOException {
    checked(invoke(LibraryFunctions.LSEEK, descriptor, position, 0, 0, 0), subject);
  }

  /// Reads entries as `struct linux_dirent64`.
  ///
  /// @return their size in bytes; 0 at the end
  int entries(int descriptor, MemorySegment buffer, Object subject) throws IOException {
    return (int)
        checked(
            invoke(
                LibraryFunctions.GETDENTS, descriptor, buffer.address(), buffer.byteSize(), 0, 0),
            subject);
  }

  void mount(String source, String target, String type, long flags, String options)
      throws IOException {
    call(
        target,
        LibraryFunctions.MOUNT,
        text(first, bytes(source)),
        text(second, bytes(target)),
        arena.allocateFrom(type).address(),
        flags,
        arena.allocateFrom(options).address());
  }

  void unmount(String target, int flags) throws IOException {
    call(target, LibraryFunctions.UMOUNT, text(first, bytes(target)), flags, 0, 0, 0);
  }

  MemorySegment allocate(long bytes) {
    return arena.allocate(bytes, JAVA_LONG.byteAlignment());
  }

  /// Linux frees the descriptor even when close fails, so a failure is ignored.
  void close(int descriptor) {
    long _ = invoke(LibraryFunctions.CLOSE, descriptor, 0, 0, 0, 0);
  }

  static boolean isDots(byte[] name) {
    return Arrays.equals(name, new byte[] {'.'}) || Arrays.equals(name, new byte[] {'.', '.'});
  }

  @Override
  public void close() {
    arena.close();
  }
}
