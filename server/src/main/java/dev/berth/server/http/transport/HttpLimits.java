package dev.berth.server.http.transport;

import dev.berth.relay.ports.ConnectionLimits;
import dev.berth.relay.ports.OpenFiles;
import java.time.Duration;

/// Limits for what clients may hold of the server, and for how long.
///
/// The limits protect the heap: each one bounds what a kind of hostile or slow client can hold, and
/// together they leave room for the store and the requests in flight.
///
/// @param connections limit for all clients; above it, idle connections are closed
/// @param perAddress limit for one source address; above it, its idle connections are closed
/// @param streams limit for watches and other streams; HTTP/2 has many on one connection
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

  /// Measured: a connection with its TLS engine, buffers and a watch takes about 40 KiB.
  private static final long CONNECTION_BYTES = 40 << 10;

  /// Measured: a watch on a shared HTTP/2 connection takes about 20 KiB.
  private static final long STREAM_BYTES = 20 << 10;

  /// Connections may use a quarter of the heap and half of the file descriptors; the rest is for
  /// the store, nodes, and the agent in the same process.
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

  /// The limits that the port applies before HTTP.
  ConnectionLimits ofConnections() {
    return new ConnectionLimits(connections, perAddress, idle, header);
  }

  /// Returns these limits with another limit for one address.
  ///
  /// @param limit connections of one address; 0 for no limit
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
