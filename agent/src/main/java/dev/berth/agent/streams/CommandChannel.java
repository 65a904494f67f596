package dev.berth.agent.streams;

import dev.berth.agent.streams.RuntimeStreams.RequestedStreams;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// A channel of a remote command, in the order in which clients open their streams.
enum CommandChannel {
  /// The final status of the command.
  ERROR(3, 1, true),
  STDIN(0, 3, false),
  STDOUT(1, 5, true),
  STDERR(2, 7, true),
  /// Resize events of the client's terminal.
  RESIZE(4, 9, false);

  private final int number;
  private final int stream;
  private final boolean output;

  CommandChannel(int number, int stream, boolean output) {
    this.number = number;
    this.stream = stream;
    this.output = output;
  }

  /// The channels that a runtime expects.
  static Set<CommandChannel> of(RequestedStreams wanted) {
    Set<CommandChannel> channels = EnumSet.of(ERROR);
    if (wanted.stdin()) {
      channels.add(STDIN);
    }
    if (wanted.stdout()) {
      channels.add(STDOUT);
    }
    if (wanted.stderr()) {
      channels.add(STDERR);
    }
    if (wanted.tty()) {
      channels.add(RESIZE);
    }
    return channels;
  }

  /// The first byte of the channel's messages.
  int number() {
    return number;
  }

  /// Whether the client reads from it.
  boolean isOutput() {
    return output;
  }

  /// The stream type header.
  String type() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The SPDY stream id: clients use odd ids.
  int stream() {
    return stream;
  }
}
