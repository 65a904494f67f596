package dev.berth.agent.files;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// Functions of the C library that the JDK lacks.
///
/// All have one type, five numbers after the segment for `errno`: the JDK generates code per
/// function type, which took most of the time of the agent's first call. 64-bit Linux passes
/// numbers and addresses in the same registers and ignores surplus ones.
final class LibraryFunctions {
  static final StructLayout STATE = Linker.Option.captureStateLayout();
  static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno")).withInvokeExactBehavior();

  private static final FunctionDescriptor FIVE_NUMBERS =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  static final MethodHandle OPENAT = function("openat");
  static final MethodHandle MKDIRAT = function("mkdirat");
  static final MethodHandle UNLINKAT = function("unlinkat");
  static final MethodHandle RENAMEAT = function("renameat");
  static final MethodHandle SYMLINKAT = function("symlinkat");
  static final MethodHandle READLINKAT = function("readlinkat");
  static final MethodHandle STATX = function("statx");
  static final MethodHandle FCHMOD = function("fchmod");
  static final MethodHandle FCHOWN = function("fchown");
  static final MethodHandle CLOSE = function("close");
  static final MethodHandle LSEEK = function("lseek");
  static final MethodHandle GETDENTS = function("getdents64");
  static final MethodHandle MOUNT = function("mount");
  static final MethodHandle UMOUNT = function("umount2");
  private static final MethodHandle STRERROR = function("strerror");

  private LibraryFunctions() {}

  @SuppressWarnings("restricted") // The launcher allows it.
  private static MethodHandle function(String name) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol =
        linker
            .defaultLookup()
            .find(name)
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "the agent needs 64-bit Linux with glibc 2.30 or newer for files of pods:"
                            + " the C library of this machine has no function "
                            + name));
    return linker.downcallHandle(symbol, FIVE_NUMBERS, Linker.Option.captureCallState("errno"));
  }

  /// The C library's text for an error, such as `Permission denied`.
  @SuppressWarnings("restricted")
  static String describe(int error, MemorySegment state) {
    try {
      long text = (long) STRERROR.invokeExact(state, (long) error, 0L, 0L, 0L, 0L);
      return MemorySegment.ofAddress(text).reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw new IllegalStateException("strerror cannot be called", e); // It throws nothing.
    }
  }
}
