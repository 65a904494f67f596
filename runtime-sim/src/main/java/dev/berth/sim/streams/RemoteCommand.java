package dev.berth.sim.streams;

import dev.berth.sim.service.StreamVerbs.Wanted;
import dev.berth.sim.shell.ProcessInbox;
import dev.berth.sim.shell.ProcessOutput;
import dev.berth.sim.streams.CommandChannels.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Kubernetes' remote command protocol: what a process reads and writes, and how it ended.
final class RemoteCommand {
  /// How long a client may take to hang up by itself.
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final CommandChannels channels;
  private final Wanted wanted;
  private @Nullable Thread listener;

  RemoteCommand(CommandChannels channels, Wanted wanted) {
    this.channels = channels;
    this.wanted = wanted;
  }

  /// An empty message tells the client that it is connected.
  void open() {
    int channel =
        wanted.stdout()
            ? CommandChannels.STDOUT
            : wanted.stderr() ? CommandChannels.STDERR : CommandChannels.ERROR;
    channels.send(channel, new byte[0]);
  }

  /// What the client does not want is dropped; a terminal has only one stream.
  ProcessOutput output() {
    return (stream, bytes) -> {
      int channel = wanted.tty() ? CommandChannels.STDOUT : stream;
      boolean asked = channel == CommandChannels.STDOUT ? wanted.stdout() : wanted.stderr();
      if (asked) {
        channels.send(channel, wanted.tty() ? withReturns(bytes) : bytes);
      }
    };
  }

  /// Hands on what is typed until the client goes; then runs the action.
  void listen(@Nullable ProcessInbox inbox, Runnable onGone) {
    listener =
        Thread.ofVirtual()
            .name("sim-stream-input")
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

  private void take(Message message, @Nullable ProcessInbox inbox) {
    if (inbox == null || !wanted.stdin() || message.channel() != CommandChannels.STDIN) {
      return;
    }
    if (message.bytes().length > 0) {
      inbox.feed(message.bytes());
    }
    if (message.last()) {
      inbox.endInput();
    }
  }

  /// Says how it ended, and leaves it to the client to hang up.
  void close(int exitCode) {
    if (channels.readsStatus()) {
      tell(RemoteStatus.of(exitCode));
    } else if (exitCode != 0) {
      tell(RemoteStatus.text(exitCode));
    }
    channels.finish();
    if (listener == null) {
      listen(null, () -> {});
    }
    try {
      Objects.requireNonNull(listener).join(FAREWELL);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      channels.close();
    }
  }

  private void tell(String text) {
    channels.send(CommandChannels.ERROR, text.getBytes(StandardCharsets.UTF_8));
  }

  /// A terminal in raw mode does not go back to the left by itself.
  private static byte[] withReturns(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return text.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }
}
