package dev.berth.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// How much of the server one client may hold, and for how long.
///
/// @param connections more are not accepted until others end
/// @param streams watches and other requests without an end that there may be at once; HTTP/2 has
///   many on one connection
/// @param idle how long a connection may wait between two requests
/// @param header how long the head of a request may take from its first byte on; for the first
///   request it includes the TLS handshake
/// @param body how long the body of a request may take
/// @param stall how long a client may take for the next piece of its answer, see {@link Exchange}
/// @param answer how long a client may take for the whole of an answer that is no stream
/// @param sendBuffer what the kernel may hold of an answer, in bytes
/// @param backlog what may be held for all clients that are waited for, in bytes, see {@link
///   Backlog}
public record HttpLimits(
    int connections,
    int streams,
    Duration idle,
    Duration header,
    Duration body,
    Duration stall,
    Duration answer,
    int sendBuffer,
    long backlog) {

  /// A connection with its TLS engine, buffers and a watch takes about 40 KiB.
  private static final long CONNECTION_BYTES = 40 << 10;

  /// A watch on a connection that others use, too, takes about 20 KiB.
  private static final long STREAM_BYTES = 20 << 10;

  /// Times are upstream's: 90 s, 32 s and 60 s for a request and for its answer. Connections may
  /// take a quarter of the heap, and so may streams; what is held for slow clients, a sixteenth.
  /// Half of the file descriptors is for others: the store, nodes, and the agent in the same
  /// process.
  public static final HttpLimits STANDARD =
      new HttpLimits(
          (int)
              Math.min(
                  Math.clamp(
                      Runtime.getRuntime().maxMemory() / 4 / CONNECTION_BYTES, 1_000, 20_000),
                  openFiles() / 2),
          Math.clamp(Runtime.getRuntime().maxMemory() / 4 / STREAM_BYTES, 2_000, 100_000),
          Duration.ofSeconds(90),
          Duration.ofSeconds(32),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          512 << 10,
          Math.clamp(Runtime.getRuntime().maxMemory() / 16, 16 << 20, 128 << 20));

  /// How many files the process may open. The JVM raises its limit as far as it may.
  private static long openFiles() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
      return lines
          .filter(line -> line.startsWith("Max open files"))
          .map(line -> line.split("\\s+", -1)[3])
          .filter(text -> text.matches("\\d{1,18}"))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(Long.MAX_VALUE);
    } catch (IOException | UncheckedIOException e) {
      // Another system than Linux, or one without /proc.
      return Long.MAX_VALUE;
    }
  }
}
