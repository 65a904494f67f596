package dev.berth.agent.files;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// The functions of the C library that the JDK has no methods for. Each takes the segment for
/// `errno` first.
final class LibraryFunctions {
  static final StructLayout STATE = Linker.Option.captureStateLayout();
  static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno")).withInvokeExactBehavior();

  static final MethodHandle OPENAT =
      function("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  static final MethodHandle MKDIRAT = function("mkdirat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle UNLINKAT = function("unlinkat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle RENAMEAT =
      function("renameat", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
  static final MethodHandle SYMLINKAT = function("symlinkat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
  static final MethodHandle READLINKAT =
      function("readlinkat", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
  static final MethodHandle STATX =
      function("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  static final MethodHandle FCHMOD = function("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle FCHOWN = function("fchown", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
  static final MethodHandle LSEEK = function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle GETDENTS =
      function("getdents64", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  static final MethodHandle MOUNT =
      function("mount", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
  static final MethodHandle UMOUNT = function("umount2", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle STRERROR = function("strerror", ADDRESS, JAVA_INT);

  private LibraryFunctions() {}

  private static MethodHandle function(
      String name, MemoryLayout result, MemoryLayout... parameters) {
    return link(
        name, FunctionDescriptor.of(result, parameters), Linker.Option.captureCallState("errno"));
  }

  private static MethodHandle function(
      String name, int firstVariadic, MemoryLayout result, MemoryLayout... parameters) {
    return link(
        name,
        FunctionDescriptor.of(result, parameters),
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(firstVariadic));
  }

  @SuppressWarnings("restricted") // The launcher allows it.
  private static MethodHandle link(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    SymbolLookup library = linker.defaultLookup();
    MemorySegment symbol =
        library
            .find(name)
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "the agent needs Linux with glibc 2.30 or newer for files of pods: the C"
                            + " library of this machine has no function "
                            + name));
    return linker.downcallHandle(symbol, descriptor, options);
  }

  /// What the C library says of an error, such as `Permission denied`.
  @SuppressWarnings("restricted")
  static String describe(int error, MemorySegment state) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(state, error);
      return text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw new IllegalStateException("strerror cannot be called", e); // It throws nothing.
    }
  }
}
