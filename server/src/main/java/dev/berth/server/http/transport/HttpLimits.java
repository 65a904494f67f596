package dev.berth.server.http.transport;

import dev.berth.relay.ports.ConnectionLimits;
import dev.berth.relay.ports.OpenFiles;
import java.time.Duration;

/// How much of the server one client may hold, and for how long.
///
/// @param connections of all clients; idle ones are closed where there would be more
/// @param perAddress connections of one source address, likewise
/// @param streams watches and other requests without an end that there may be at once; HTTP/2 has
///   many on one connection
/// @param idle how long a connection may wait between two requests
/// @param header how long the head of a request may take from its first byte on; for the first
///   request it includes the TLS handshake
/// @param body how long the body of a request may take
/// @param stall how long a client may take for the next piece of its answer, see {@link
///   ServerExchange}
/// @param answer how long a client may take for the whole of an answer that is no stream
/// @param sendBuffer what the kernel may hold of an answer, in bytes
/// @param backlog what may be held for all clients that are waited for, in bytes, see {@link
///   Backlog}
public record HttpLimits(
    int connections,
    int perAddress,
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

  /// A quarter of the heap, and half of the file descriptors: the others are for the store, nodes,
  /// and the agent in the same process.
  private static final int CONNECTIONS =
      (int)
          Math.min(
              Math.clamp(Runtime.getRuntime().maxMemory() / 4 / CONNECTION_BYTES, 1_000, 20_000),
              OpenFiles.limit() / 2);

  /// Times are upstream's: 90 s, 32 s and 60 s for a request and for its answer. Streams may take a
  /// quarter of the heap; what is held for slow clients, a sixteenth.
  public static final HttpLimits STANDARD =
      new HttpLimits(
          CONNECTIONS,
          ConnectionLimits.shareOfOneAddress(CONNECTIONS),
          Math.clamp(Runtime.getRuntime().maxMemory() / 4 / STREAM_BYTES, 2_000, 100_000),
          Duration.ofSeconds(90),
          Duration.ofSeconds(32),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          512 << 10,
          Math.clamp(Runtime.getRuntime().maxMemory() / 16, 16 << 20, 128 << 20));

  /// The limits of the port that a network client meets first.
  ConnectionLimits ofConnections() {
    return new ConnectionLimits(connections, perAddress, idle, header);
  }

  /// The same with another limit for one address.
  ///
  /// @param limit connections of one address; 0 for as many as there may be
  public HttpLimits withPerAddress(int limit) {
    return new HttpLimits(
        connections,
        limit == 0 ? connections : limit,
        streams,
        idle,
        header,
        body,
        stall,
        answer,
        sendBuffer,
        backlog);
  }
}
