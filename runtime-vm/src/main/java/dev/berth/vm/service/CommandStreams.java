package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.streaming.CommandInput;
import dev.berth.cri.streaming.CommandOutput;
import dev.berth.cri.streaming.RemoteCommand;
import dev.berth.cri.streaming.RequestedStreams;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.GuestProcess;
import dev.berth.vm.guest.OutputSink;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.output.AttachedClient;
import dev.berth.vm.pods.output.ContainerOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Joins clients with commands in guests, and with the programs of containers. A stream runs on the
/// thread of its connection; a second thread reads the client's input.
final class CommandStreams {
  /// A shell's code for a command that it cannot run.
  private static final int CANNOT_RUN = 126;

  /// The code of a program that SIGKILL ended: its guest is gone.
  private static final int KILLED = 137;

  private static final Duration FOREVER = Duration.ofDays(365);

  private final RunCommand commands;

  CommandStreams(RunCommand commands) {
    this.commands = commands;
  }

  void exec(
      RemoteCommand remote,
      LiveContainer container,
      List<String> command,
      RequestedStreams requested) {
    remote.open();
    CommandOutput output = remote.output();
    GuestExec exec = new GuestExec(container.id(), command, requested.tty(), requested.stdin());
    try (GuestProcess process = commands.start(container, exec, sink(output))) {
      // A client that disconnects ends its command, which would otherwise run for nobody.
      remote.listen(new ProcessInput(process), process::close);
      Optional<GuestExit> exit = process.exit(FOREVER);
      remote.close(exit.map(GuestExit::code).orElse(KILLED));
    } catch (CallRefusal | GuestException e) {
      output.write(2, (e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
      remote.close(CANNOT_RUN);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Shows a client what the container prints, until one of both ends. The container does not end
  /// with the client.
  void attach(RemoteCommand remote, LiveContainer container, RequestedStreams requested) {
    Optional<ContainerOutput> output = container.output();
    // The container ended after the URL was made.
    if (output.isEmpty()) {
      remote.close(0);
      return;
    }
    AttachedClient client = new AttachedClient();
    remote.open();
    output.get().attach(client);
    remote.listen(
        requested.stdin() || requested.tty() ? input(container) : null,
        () -> output.get().detach(client));
    client.serve(remote.output());
    output.get().detach(client);
    remote.close(0);
  }

  private static @Nullable CommandInput input(LiveContainer container) {
    boolean keepsInput = container.record().config().getStdin();
    try {
      GuestAgent agent = container.pod().guest().map(PodGuest::agent).orElse(null);
      if (agent == null) {
        return null;
      }
      return new ContainerInput(
          agent, container.id(), keepsInput ? agent.input(container.id()) : null);
    } catch (GuestException _) {
      // The container ended meanwhile, and its output ends, too.
      return null;
    }
  }

  private static OutputSink sink(CommandOutput output) {
    return (stream, bytes) -> output.write(stream == GuestStream.STDERR ? 2 : 1, bytes);
  }

  /// Writes to a program. One that does not read any more loses what is written.
  private static void write(OutputStream target, byte[] bytes) {
    try {
      target.write(bytes);
      target.flush();
    } catch (IOException _) {
      // The program ended, or closed its input; its exit says the rest.
    }
  }

  private static void close(OutputStream target) {
    try {
      target.close();
    } catch (IOException _) {
      // As above.
    }
  }

  private record ProcessInput(GuestProcess process) implements CommandInput {
    @Override
    public void feed(byte[] bytes) {
      write(process.input(), bytes);
    }

    @Override
    public void endInput() {
      CommandStreams.close(process.input());
    }

    @Override
    public void resize(int width, int height) {
      try {
        process.resize(width, height);
      } catch (GuestException _) {
        // The program ended meanwhile.
      }
    }
  }

  /// @param stream null for a container without standard input
  private record ContainerInput(GuestAgent agent, String container, @Nullable OutputStream stream)
      implements CommandInput {
    @Override
    public void feed(byte[] bytes) {
      if (stream != null) {
        write(stream, bytes);
      }
    }

    @Override
    public void endInput() {
      if (stream != null) {
        CommandStreams.close(stream);
      }
    }

    @Override
    public void resize(int width, int height) {
      try {
        agent.resize(container, width, height);
      } catch (GuestException _) {
        // The container ended meanwhile.
      }
    }
  }
}
