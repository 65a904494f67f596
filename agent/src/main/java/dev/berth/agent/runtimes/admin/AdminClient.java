package dev.berth.agent.runtimes.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtimes.admin.AdminAnswer.Progress;
import dev.berth.agent.runtimes.admin.AdminAnswer.Refused;
import dev.berth.api.Problem;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// Sends requests to the agent of this machine.
public final class AdminClient {
  private final Path socket;

  public AdminClient(Path socket) {
    this.socket = socket;
  }

  /// Sends a request.
  ///
  /// @return the last answer, or a refusal when the agent cannot be reached
  public AdminAnswer ask(AdminRequest request, Consumer<Progress> progress) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        Writer writer = Channels.newWriter(channel, UTF_8);
        var reader = new BufferedReader(Channels.newReader(channel, UTF_8))) {
      writer.write(AdminJson.line(request));
      writer.flush();
      while (true) {
        String line = AdminJson.readLine(reader);
        if (line.isEmpty()) {
          throw new EOFException("it hung up");
        }
        AdminAnswer answer = AdminJson.answer(line);
        if (!(answer instanceof Progress step)) {
          return answer;
        }
        progress.accept(step);
      }
    } catch (IOException e) {
      return new Refused(
          List.of(
              new Problem(
                  "the agent at %s cannot be asked".formatted(socket),
                  e.getMessage() == null ? e.toString() : e.getMessage(),
                  "Start the agent as this user, or name its data directory with --data-dir")));
    }
  }
}
