package dev.berth.agent.files;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// What a hostile container does: exchanges two names in one step of the kernel, all the time. When
/// one of them is a symbolic link, the other one's path leads elsewhere every other moment.
public final class PathExchange implements AutoCloseable {
  private static final int RENAME_EXCHANGE = 2;
  private static final MethodHandle RENAME = function("renameat2", 5);
  private static final MethodHandle MKFIFO = function("mkfifo", 2);

  private final Path one;
  private final Path other;
  private final Thread thread;
  private final AtomicLong exchanges = new AtomicLong();
  private volatile boolean ends;

  private PathExchange(Path one, Path other) {
    this.one = one;
    this.other = other;
    this.thread = Thread.ofPlatform().daemon().name("path-exchange").unstarted(this::run);
  }

  /// Goes on until it is closed; names that are missing for a while are no matter.
  public static PathExchange start(Path one, Path other) {
    PathExchange exchange = startWithout(one, other);
    while (exchange.exchanges.get() == 0 && exchange.thread.isAlive()) {
      Thread.onSpinWait();
    }
    return exchange;
  }

  /// Likewise, though one of the names is yet to come.
  public static PathExchange startWithout(Path one, Path other) {
    PathExchange exchange = new PathExchange(one, other);
    exchange.thread.start();
    return exchange;
  }

  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, int parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        parameters == 2
            ? FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)
            : FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
  }

  /// A pipe with a name: whoever opens it to read waits for a writer.
  public static void makePipe(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      int result = (int) MKFIFO.invokeExact(arena.allocateFrom(path.toString()), 0666);
      if (result != 0) {
        throw new IllegalStateException("no pipe " + path);
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /// To a name that need not be text.
  public static void rename(Path path, byte[] name) throws IOException {
    try (LinuxCalls calls = new LinuxCalls()) {
      int none = LinuxCalls.NO_DIRECTORY;
      calls.rename(none, LinuxCalls.bytes(path.toString()), none, name, path);
    }
  }

  private void run() {
    try (Arena arena = Arena.ofConfined()) {
      var from = arena.allocateFrom(one.toString());
      var to = arena.allocateFrom(other.toString());
      while (!ends) {
        int result = (int) RENAME.invokeExact(-100, from, -100, to, RENAME_EXCHANGE);
        if (result == 0) {
          exchanges.incrementAndGet();
        }
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public long exchanges() {
    return exchanges.get();
  }

  @Override
  public void close() {
    ends = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
