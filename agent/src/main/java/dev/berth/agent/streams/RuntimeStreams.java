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

/// Requests streams from a container's runtime, which returns a URL for the client.
public final class RuntimeStreams {
  private RuntimeStreams() {}

  /// The streams that a client requests.
  public record RequestedStreams(boolean stdin, boolean stdout, boolean stderr, boolean tty) {
    /// A terminal merges stdout and stderr.
    public RequestedStreams {
      stderr = stderr && !tty;
    }

    /// Whether an attach request can be served. With a terminal stderr is part of stdout, and a
    /// client that waits for stderr would wait forever.
    public boolean fits(Found container) {
      return !(stderr && container.hasTerminal());
    }

    /// The streams of an attach request: the container decides about the terminal.
    public RequestedStreams attachedTo(Found container) {
      return new RequestedStreams(stdin, stdout, stderr, container.hasTerminal());
    }
  }

  public static URI exec(Found container, List<String> command, RequestedStreams wanted) {
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

  public static URI attach(Found container, RequestedStreams wanted) {
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

  /// The result of a command.
  ///
  /// @param output stdout, then stderr
  public record Outcome(int code, ByteString output) {}

  /// Runs a command to its end.
  public static Outcome run(Found container, List<String> command) {
    ExecSyncResponse answer =
        container.service().runtime().execSync(container.containerId(), command, Duration.ZERO);
    return new Outcome(answer.getExitCode(), answer.getStdout().concat(answer.getStderr()));
  }
}
