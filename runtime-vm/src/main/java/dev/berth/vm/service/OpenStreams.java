package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.streaming.CommandSession;
import dev.berth.cri.streaming.RequestedStreams;
import dev.berth.cri.streaming.StreamSession;
import dev.berth.cri.streaming.StreamingServer;
import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.AttachResponse;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.PortForwardResponse;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import java.io.UncheckedIOException;

/// `Exec`, `Attach` and `PortForward`: each answers with a URL, at which the stream runs once.
final class OpenStreams {
  private final FoundPods found;
  private final StreamingServer server;
  private final CommandStreams commands;

  OpenStreams(FoundPods found, StreamingServer server, CommandStreams commands) {
    this.found = found;
    this.server = server;
    this.commands = commands;
  }

  ExecResponse exec(ExecRequest request) {
    String id = request.getContainerId();
    LiveContainer container =
        found.running(id, "failed to find container \"%s\" in store".formatted(id));
    RequestedStreams streams =
        checked(request.getStdin(), request.getStdout(), request.getStderr(), request.getTty());
    String url =
        prepare(
            "exec",
            new CommandSession(
                streams,
                remote -> commands.exec(remote, container, request.getCmdList(), streams)));
    return ExecResponse.newBuilder().setUrl(url).build();
  }

  AttachResponse attach(AttachRequest request) {
    LiveContainer container =
        found.running(request.getContainerId(), "failed to find container in store");
    RequestedStreams streams =
        checked(request.getStdin(), request.getStdout(), request.getStderr(), request.getTty());
    String url =
        prepare(
            "attach",
            new CommandSession(streams, remote -> commands.attach(remote, container, streams)));
    return AttachResponse.newBuilder().setUrl(url).build();
  }

  PortForwardResponse portForward(PortForwardRequest request) {
    String id = request.getPodSandboxId();
    LivePod pod = found.pod(id, "failed to find sandbox \"%s\"".formatted(id));
    if (!pod.record().isReady()) {
      throw CallRefusal.unknown("sandbox container is not running");
    }
    String url = prepare("portforward", new PortForwardSession(pod, request.getPortList()));
    return PortForwardResponse.newBuilder().setUrl(url).build();
  }

  private String prepare(String kind, StreamSession session) {
    try {
      return server.prepare(kind, session);
    } catch (UncheckedIOException e) {
      throw CallRefusal.unknown(String.valueOf(e.getMessage()));
    }
  }

  private static RequestedStreams checked(
      boolean stdin, boolean stdout, boolean stderr, boolean tty) {
    if (!stdin && !stdout && !stderr) {
      throw CallRefusal.invalid("one of stdin, stdout, or stderr must be set");
    }
    if (tty && stderr) {
      // A terminal has one output, so a client must not wait for a second stream.
      throw CallRefusal.invalid("tty and stderr cannot both be true");
    }
    return new RequestedStreams(stdin, stdout, stderr, tty);
  }
}
