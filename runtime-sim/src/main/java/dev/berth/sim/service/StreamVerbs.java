package dev.berth.sim.service;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.sim.call.Refusal;
import dev.berth.sim.model.Container;
import dev.berth.sim.model.Execution;
import dev.berth.sim.model.Machine;
import dev.berth.sim.model.Sandbox;
import java.time.Duration;
import java.util.List;

/// Commands, terminals and ports of running containers.
public final class StreamVerbs {
  /// Where prepared streams wait for a client.
  public interface Streams {
    /// Answers the URL at which the command runs once.
    String exec(Container container, List<String> command, Wanted wanted);

    String attach(Container container, Wanted wanted);

    String portForward(Sandbox sandbox, List<Integer> ports);
  }

  /// Which streams the client wants.
  public record Wanted(boolean stdin, boolean stdout, boolean stderr, boolean tty) {}

  private final Machine machine;
  private final Execution execution;
  private final Streams streams;

  public StreamVerbs(Machine machine, Execution execution, Streams streams) {
    this.machine = machine;
    this.execution = execution;
    this.streams = streams;
  }

  ExecSyncResponse execSync(ExecSyncRequest request) {
    Execution.Result result =
        execution.runToEnd(
            request.getContainerId(),
            request.getCmdList(),
            Duration.ofSeconds(Math.max(0, request.getTimeout())));
    return ExecSyncResponse.newBuilder()
        .setStdout(result.stdout())
        .setStderr(result.stderr())
        .setExitCode(result.exitCode())
        .build();
  }

  String exec(ExecRequest request) {
    Container container = execution.running(request.getContainerId());
    Wanted wanted =
        new Wanted(request.getStdin(), request.getStdout(), request.getStderr(), request.getTty());
    check(wanted);
    return streams.exec(container, request.getCmdList(), wanted);
  }

  String attach(AttachRequest request) {
    Container container = execution.attachable(request.getContainerId());
    Wanted wanted =
        new Wanted(request.getStdin(), request.getStdout(), request.getStderr(), request.getTty());
    check(wanted);
    return streams.attach(container, wanted);
  }

  String portForward(PortForwardRequest request) {
    Sandbox sandbox;
    try {
      sandbox = machine.sandbox(request.getPodSandboxId());
    } catch (Refusal e) {
      throw e.in("failed to find sandbox \"%s\"".formatted(request.getPodSandboxId()));
    }
    if (!sandbox.ready()) {
      throw Refusal.unknown("sandbox container is not running");
    }
    return streams.portForward(sandbox, request.getPortList());
  }

  private static void check(Wanted wanted) {
    if (!wanted.stdin && !wanted.stdout && !wanted.stderr) {
      throw Refusal.invalid("one of stdin, stdout, or stderr must be set");
    }
    if (wanted.tty && wanted.stderr) {
      throw Refusal.invalid("tty and stderr cannot both be true");
    }
  }
}
