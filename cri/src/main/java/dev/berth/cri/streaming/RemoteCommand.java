package dev.berth.cri.streaming;

import dev.berth.cri.streaming.CommandChannels.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Kubernetes' remote command protocol: connects the streams of a process to channels, and reports
/// its result.
public final class RemoteCommand {
  /// How long a client may take to close the connection itself. Closing first would make it drop
  /// output that it has not read.
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final CommandChannels channels;
  private final RequestedStreams requested;
  private @Nullable Thread listener;

  RemoteCommand(CommandChannels channels, RequestedStreams requested) {
    this.channels = channels;
    this.requested = requested;
  }

  /// Sends an empty message, by which the client learns that it is connected. Otherwise a client
  /// could not distinguish a silent command from a handshake that is not complete.
  public void open() {
    int channel =
        requested.stdout()
            ? CommandChannels.STDOUT
            : requested.stderr() ? CommandChannels.STDERR : CommandChannels.ERROR;
    channels.send(channel, new byte[0]);
  }

  /// The output of the process. Streams that the client did not request are dropped. A terminal has
  /// one stream.
  public CommandOutput output() {
    return (stream, bytes) -> {
      int channel = requested.tty() ? CommandChannels.STDOUT : stream;
      boolean asked = channel == CommandChannels.STDOUT ? requested.stdout() : requested.stderr();
      if (asked) {
        channels.send(channel, bytes);
      }
    };
  }

  /// Forwards input to the process until the client goes, and then runs the action.
  public void listen(@Nullable CommandInput inbox, Runnable onGone) {
    listener =
        Thread.ofVirtual()
            .name("stream-input")
            .start(
                () -> {
                  Message message = channels.read();
                  while (message != null) {
                    take(message, inbox);
                    message = channels.read();
                  }
                  onGone.run();
                });
  }

  private void take(Message message, @Nullable CommandInput inbox) {
    if (inbox == null) {
      return;
    }
    if (message.channel() == CommandChannels.RESIZE && requested.tty()) {
      TerminalSize.parse(message.bytes())
          .ifPresent(size -> inbox.resize(size.width(), size.height()));
    }
    if (!requested.stdin() || message.channel() != CommandChannels.STDIN) {
      return;
    }
    if (message.bytes().length > 0) {
      inbox.feed(message.bytes());
    }
    if (message.last()) {
      inbox.endInput();
    }
  }

  /// Reports the exit code and waits for the client to close the connection.
  public void close(int exitCode) {
    // Protocols before version 4 send an error as text, and nothing for a success.
    if (channels.readsStatus()) {
      sendError(RemoteStatus.of(exitCode));
    } else if (exitCode != 0) {
      sendError(RemoteStatus.text(exitCode));
    }
    channels.finish();
    if (listener == null) {
      listen(null, () -> {});
    }
    try {
      Objects.requireNonNull(listener).join(CLOSE_LIMIT);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      channels.close();
    }
  }

  private void sendError(String text) {
    channels.send(CommandChannels.ERROR, text.getBytes(StandardCharsets.UTF_8));
  }
}
