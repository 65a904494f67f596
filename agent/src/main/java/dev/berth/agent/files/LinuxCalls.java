package dev.berth.agent.files;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// System calls on files, with the memory that they need; for one thread. File names are bytes:
/// containers may use any.
final class LinuxCalls implements AutoCloseable {
  /// Instead of a directory's descriptor: the path is absolute.
  static final int NO_DIRECTORY = -100;

  static final int AT_REMOVEDIR = 0x200;
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_BASIC_AND_MOUNT = 0x7ff | 0x1000;

  /// The longest path that the kernel takes, with its end.
  private static final int LONGEST_PATH = 4096;

  private static final int STATX_BYTES = 256;
  private static final byte[] EMPTY = {};

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment state = arena.allocate(LibraryFunctions.STATE);
  private final MemorySegment first = arena.allocate(LONGEST_PATH);
  private final MemorySegment second = arena.allocate(LONGEST_PATH);
  private final MemorySegment status = arena.allocate(STATX_BYTES, JAVA_LONG.byteAlignment());

  private interface Invocation {
    long call() throws Throwable;
  }

  /// What a call answers.
  ///
  /// @param subject what the message of a failure names
  private long call(Object subject, Invocation invocation) throws IOException {
    long result;
    try {
      result = invocation.call();
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the C library cannot be called", e); // It throws nothing.
    }
    if (result < 0) {
      int error = (int) LibraryFunctions.ERRNO.get(state, 0L);
      throw CallFailure.of(error, subject, LibraryFunctions.describe(error, state));
    }
    return result;
  }

  private static MemorySegment text(MemorySegment place, byte[] bytes) throws IOException {
    if (bytes.length >= LONGEST_PATH) {
      throw CallFailure.tooLong(new String(bytes, StandardCharsets.UTF_8));
    }
    MemorySegment.copy(bytes, 0, place, JAVA_BYTE, 0, bytes.length);
    place.set(JAVA_BYTE, bytes.length, (byte) 0);
    return place;
  }

  static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  int open(int directory, byte[] name, int flags, int mode, Object subject) throws IOException {
    MemorySegment path = text(first, name);
    return (int)
        call(
            subject,
            () ->
                (int)
                    LibraryFunctions.OPENAT.invokeExact(
                        state, directory, path, flags | OpenFlags.CLOSE_ON_EXEC, mode));
  }

  void makeDirectory(int directory, byte[] name, int mode, Object subject) throws IOException {
    MemorySegment path = text(first, name);
    call(subject, () -> (int) LibraryFunctions.MKDIRAT.invokeExact(state, directory, path, mode));
  }

  void remove(int directory, byte[] name, int flags, Object subject) throws IOException {
    MemorySegment path = text(first, name);
    call(subject, () -> (int) LibraryFunctions.UNLINKAT.invokeExact(state, directory, path, flags));
  }

  void rename(int directory, byte[] from, int other, byte[] to, Object subject) throws IOException {
    MemorySegment source = text(first, from);
    MemorySegment target = text(second, to);
    call(
        subject,
        () -> (int) LibraryFunctions.RENAMEAT.invokeExact(state, directory, source, other, target));
  }

  void link(byte[] target, int directory, byte[] name, Object subject) throws IOException {
    MemorySegment content = text(first, target);
    MemorySegment path = text(second, name);
    call(
        subject,
        () -> (int) LibraryFunctions.SYMLINKAT.invokeExact(state, content, directory, path));
  }

  /// Of the link that a descriptor without rights was opened for, or that has the name.
  byte[] readLink(int descriptor, byte[] name, Object subject) throws IOException {
    MemorySegment path = text(first, name);
    long length =
        call(
            subject,
            () ->
                (long)
                    LibraryFunctions.READLINKAT.invokeExact(
                        state, descriptor, path, second, (long) LONGEST_PATH));
    return second.asSlice(0, length).toArray(JAVA_BYTE);
  }

  byte[] readLink(int descriptor, Object subject) throws IOException {
    return readLink(descriptor, EMPTY, subject);
  }

  FileStatus status(int descriptor, Object subject) throws IOException {
    return status(descriptor, EMPTY, subject);
  }

  /// Of a link itself, not of what it leads to.
  FileStatus status(int directory, byte[] name, Object subject) throws IOException {
    MemorySegment path = text(first, name);
    int flags = name.length == 0 ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW;
    call(
        subject,
        () ->
            (int)
                LibraryFunctions.STATX.invokeExact(
                    state, directory, path, flags, STATX_BASIC_AND_MOUNT, status));
    boolean hasMount = (status.get(JAVA_INT, 0) & 0x1000) != 0;
    return new FileStatus(
        Short.toUnsignedInt(status.get(JAVA_SHORT, 0x1c)),
        status.get(JAVA_INT, 0x14),
        status.get(JAVA_INT, 0x18),
        status.get(JAVA_INT, 0x10),
        status.get(JAVA_LONG, 0x28),
        status.get(JAVA_LONG, 0x30),
        ((long) status.get(JAVA_INT, 0x88) << 32)
            | Integer.toUnsignedLong(status.get(JAVA_INT, 0x8c)),
        status.get(JAVA_LONG, 0x20),
        hasMount ? status.get(JAVA_LONG, 0x90) : 0);
  }

  void setMode(int descriptor, int mode, Object subject) throws IOException {
    call(subject, () -> (int) LibraryFunctions.FCHMOD.invokeExact(state, descriptor, mode));
  }

  /// @param user -1 for no change; the group likewise
  void setOwner(int descriptor, int user, int group, Object subject) throws IOException {
    call(subject, () -> (int) LibraryFunctions.FCHOWN.invokeExact(state, descriptor, user, group));
  }

  void seek(int descriptor, long position, Object subject) throws IOException {
    call(subject, () -> (long) LibraryFunctions.LSEEK.invokeExact(state, descriptor, position, 0));
  }

  /// The next entries of a directory, as `struct linux_dirent64`.
  ///
  /// @return how many bytes they take; 0 at the end
  int entries(int descriptor, MemorySegment buffer, Object subject) throws IOException {
    return (int)
        call(
            subject,
            () ->
                (long)
                    LibraryFunctions.GETDENTS.invokeExact(
                        state, descriptor, buffer, buffer.byteSize()));
  }

  void mount(String source, String target, String type, long flags, String options)
      throws IOException {
    MemorySegment what = text(first, bytes(source));
    MemorySegment where = text(second, bytes(target));
    MemorySegment kind = arena.allocateFrom(type);
    MemorySegment data = arena.allocateFrom(options);
    call(
        target,
        () -> (int) LibraryFunctions.MOUNT.invokeExact(state, what, where, kind, flags, data));
  }

  void unmount(String target, int flags) throws IOException {
    MemorySegment where = text(first, bytes(target));
    call(target, () -> (int) LibraryFunctions.UMOUNT.invokeExact(state, where, flags));
  }

  MemorySegment allocate(long bytes) {
    return arena.allocate(bytes, JAVA_LONG.byteAlignment());
  }

  /// A descriptor is free afterwards whatever the kernel answers.
  void close(int descriptor) {
    try {
      int _ = (int) LibraryFunctions.CLOSE.invokeExact(state, descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException("close cannot be called", e); // It throws nothing.
    }
  }

  static boolean isDots(byte[] name) {
    return Arrays.equals(name, new byte[] {'.'}) || Arrays.equals(name, new byte[] {'.', '.'});
  }

  @Override
  public void close() {
    arena.close();
  }
}
