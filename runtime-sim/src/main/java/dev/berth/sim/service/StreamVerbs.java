package dev.berth.sim.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.streaming.RequestedStreams;
import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.sim.model.CommandExecution;
import dev.berth.sim.model.SimContainer;
import dev.berth.sim.model.SimMachine;
import dev.berth.sim.model.SimSandbox;
import java.time.Duration;
import java.util.List;

/// Prepares the streams of `Exec`, `Attach` and `PortForward`.
public final class StreamVerbs {
  /// Keeps prepared streams until their client connects.
  public interface Streams {
    /// Returns a URL at which the command runs once.
    String exec(SimContainer container, List<String> command, RequestedStreams requested);

    String attach(SimContainer container, RequestedStreams requested);

    String portForward(SimSandbox sandbox, List<Integer> ports);
  }

  private final SimMachine machine;
  private final CommandExecution execution;
  private final Streams streams;

  public StreamVerbs(SimMachine machine, CommandExecution execution, Streams streams) {
    this.machine = machine;
    this.execution = execution;
    this.streams = streams;
  }

  ExecSyncResponse execSync(ExecSyncRequest request) {
    CommandExecution.Result result =
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
    SimContainer container = execution.running(request.getContainerId());
    RequestedStreams requested =
        new RequestedStreams(
            request.getStdin(), request.getStdout(), request.getStderr(), request.getTty());
    check(requested);
    return streams.exec(container, request.getCmdList(), requested);
  }

  String attach(AttachRequest request) {
    SimContainer container = execution.attachable(request.getContainerId());
    RequestedStreams requested =
        new RequestedStreams(
            request.getStdin(), request.getStdout(), request.getStderr(), request.getTty());
    check(requested);
    return streams.attach(container, requested);
  }

  String portForward(PortForwardRequest request) {
    SimSandbox sandbox;
    try {
      sandbox = machine.sandbox(request.getPodSandboxId());
    } catch (CallRefusal e) {
      throw e.in("failed to find sandbox \"%s\"".formatted(request.getPodSandboxId()));
    }
    if (!sandbox.ready()) {
      throw CallRefusal.unknown("sandbox container is not running");
    }
    return streams.portForward(sandbox, request.getPortList());
  }

  private static void check(RequestedStreams requested) {
    if (!requested.stdin() && !requested.stdout() && !requested.stderr()) {
      throw CallRefusal.invalid("one of stdin, stdout, or stderr must be set");
    }
    if (requested.tty() && requested.stderr()) {
      // A terminal has one output, so a client must not wait for a second stream.
      throw CallRefusal.invalid("tty and stderr cannot both be true");
    }
  }
}
