package dev.berth.cri.streaming;

import dev.berth.cri.http.SpdyConnection;
import dev.berth.cri.http.SpdyConnection.Data;
import dev.berth.cri.http.SpdyConnection.Event;
import dev.berth.cri.http.SpdyConnection.Opened;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Channels over SPDY. The client opens a stream for each channel; a header of the stream names it.
/// The streams may come in any order, mixed with data.
final class SpdyChannels implements CommandChannels {
  private static final String V4 = "v4.channel.k8s.io";
  private static final String V3 = "v3.channel.k8s.io";

  /// Best protocol first.
  static final List<String> PROTOCOLS = List.of(V4, V3, "v2.channel.k8s.io", "channel.k8s.io");

  private static final Map<String, Integer> CHANNELS =
      Map.of("stdin", STDIN, "stdout", STDOUT, "stderr", STDERR, "error", ERROR, "resize", RESIZE);

  private final SpdyConnection connection;
  private final Map<Integer, Integer> channelOfStream = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> streamOfChannel = new ConcurrentHashMap<>();

  /// Messages that came before all streams were open. Used by the one thread that reads.
  private final Queue<Message> early = new ArrayDeque<>();

  private SpdyChannels(SpdyConnection connection) {
    this.connection = connection;
  }

  /// Waits until the client has opened a stream for each requested channel; empty when the client
  /// goes before.
  static Optional<SpdyChannels> open(SpdyConnection connection, RequestedStreams requested) {
    SpdyChannels channels = new SpdyChannels(connection);
    // Only versions 3 and 4 have a stream for the terminal's size. Waiting for it with an older
    // client would never end.
    boolean resizes = connection.protocol().equals(V4) || connection.protocol().equals(V3);
    List<Integer> needed = needed(requested, resizes);
    while (!channels.streamOfChannel.keySet().containsAll(needed)) {
      Event event = connection.read();
      if (event == null) {
        return Optional.empty();
      }
      Message message = channels.take(event);
      if (message != null) {
        channels.early.add(message);
      }
    }
    return Optional.of(channels);
  }

  /// The channels for which the client must open a stream before the command starts.
  private static List<Integer> needed(RequestedStreams requested, boolean resizes) {
    List<Integer> needed = new ArrayList<>(List.of(ERROR));
    if (requested.stdin()) {
      needed.add(STDIN);
    }
    if (requested.stdout()) {
      needed.add(STDOUT);
    }
    if (requested.stderr()) {
      needed.add(STDERR);
    }
    if (requested.tty() && resizes) {
      needed.add(RESIZE);
    }
    return needed;
  }

  @Override
  public boolean readsStatus() {
    return connection.protocol().equals(V4);
  }

  @Override
  public void send(int channel, byte[] bytes) {
    Integer stream = streamOfChannel.get(channel);
    if (stream != null) {
      connection.send(stream, bytes, false);
    }
  }

  @Override
  public @Nullable Message read() {
    Message message = early.poll();
    while (message == null) {
      Event event = connection.read();
      if (event == null) {
        return null;
      }
      message = take(event);
    }
    return message;
  }

  private @Nullable Message take(Event event) {
    switch (event) {
      case Opened(int stream, var headers) -> {
        Integer channel = CHANNELS.get(headers.getOrDefault("streamtype", ""));
        if (channel != null) {
          channelOfStream.put(stream, channel);
          streamOfChannel.put(channel, stream);
        }
        return null;
      }
      case Data(int stream, byte[] bytes, boolean last) -> {
        Integer channel = channelOfStream.get(stream);
        return channel == null ? null : new Message(channel, bytes, last);
      }
    }
  }

  /// Ends all streams, after which the client closes the connection. A connection that ends before
  /// its streams makes the client drop unread output.
  @Override
  public void finish() {
    streamOfChannel.values().forEach(stream -> connection.send(stream, new byte[0], true));
  }

  @Override
  public void close() {
    connection.close();
  }
}
