package dev.berth.agent.streams;

import com.google.protobuf.ByteString;
import dev.berth.agent.streams.ContainerLocation.Found;
import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.PortForwardRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/// Asks a container's runtime for streams; it answers with the URL at which a client gets them.
public final class RuntimeStreams {
  private RuntimeStreams() {}

  /// Which streams a client wants.
  public record Wanted(boolean stdin, boolean stdout, boolean stderr, boolean tty) {
    /// With a terminal both kinds of output are one.
    public Wanted {
      stderr = stderr && !tty;
    }

    /// Whether one who attaches can have them. The errors of a process with a terminal are in its
    /// output, and a client that waits for them apart would wait for ever.
    public boolean fits(Found container) {
      return !(stderr && container.hasTerminal());
    }

    /// What one who attaches gets: the terminal is the container's, whatever the client has.
    public Wanted attachedTo(Found container) {
      return new Wanted(stdin, stdout, stderr, container.hasTerminal());
    }
  }

  public static URI exec(Found container, List<String> command, Wanted wanted) {
    return URI.create(
        container
            .service()
            .runtime()
            .exec(
                ExecRequest.newBuilder()
                    .setContainerId(container.containerId())
                    .addAllCmd(command)
                    .setStdin(wanted.stdin())
                    .setStdout(wanted.stdout())
                    .setStderr(wanted.stderr())
                    .setTty(wanted.tty())
                    .build()));
  }

  public static URI attach(Found container, Wanted wanted) {
    return URI.create(
        container
            .service()
            .runtime()
            .attach(
                AttachRequest.newBuilder()
                    .setContainerId(container.containerId())
                    .setStdin(wanted.stdin())
                    .setStdout(wanted.stdout())
                    .setStderr(wanted.stderr())
                    .setTty(container.hasTerminal())
                    .build()));
  }

  public static URI portForward(Found sandbox, List<Integer> ports) {
    return URI.create(
        sandbox
            .service()
            .runtime()
            .portForward(
                PortForwardRequest.newBuilder()
                    .setPodSandboxId(sandbox.sandboxId())
                    .addAllPort(ports)
                    .build()));
  }

  /// How a command ended.
  ///
  /// @param output what it wrote, errors after the rest
  public record Outcome(int code, ByteString output) {}

  /// Runs a command to its end.
  public static Outcome run(Found container, List<String> command) {
    ExecSyncResponse answer =
        container.service().runtime().execSync(container.containerId(), command, Duration.ZERO);
    return new Outcome(answer.getExitCode(), answer.getStdout().concat(answer.getStderr()));
  }
}
