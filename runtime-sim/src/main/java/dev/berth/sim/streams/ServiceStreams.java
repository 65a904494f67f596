package dev.berth.sim.streams;

import dev.berth.cri.http.SpdyConnection;
import dev.berth.cri.http.WebSocket;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.streaming.CommandOutput;
import dev.berth.cri.streaming.CommandSession;
import dev.berth.cri.streaming.RemoteCommand;
import dev.berth.cri.streaming.RequestedStreams;
import dev.berth.cri.streaming.StreamSession;
import dev.berth.cri.streaming.StreamingServer;
import dev.berth.sim.model.CommandExecution;
import dev.berth.sim.model.SimContainer;
import dev.berth.sim.model.SimSandbox;
import dev.berth.sim.service.StreamVerbs.Streams;
import dev.berth.sim.shell.FileTree;
import dev.berth.sim.shell.ProcessContext;
import dev.berth.sim.shell.ProcessInbox;
import dev.berth.sim.shell.ProcessOutput;
import dev.berth.sim.shell.ShellProgram;
import dev.berth.sim.shell.SimShell;
import dev.berth.sim.time.SimClock;
import dev.berth.sim.vm.VmConsole.Consoles;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The streams of one service. They end when the service crashes, as those of containerd's own
/// streaming server do.
///
/// A stream runs on the thread of its connection; a second thread reads the client's input.
public final class ServiceStreams implements Streams, Consoles {
  private final StreamingServer server;
  private final CommandExecution execution;
  private final SimClock timeline;

  /// The actions that disconnect the open streams.
  private final Set<Runnable> open = ConcurrentHashMap.newKeySet();

  public ServiceStreams(StreamingServer server, CommandExecution execution, SimClock timeline) {
    this.server = server;
    this.execution = execution;
    this.timeline = timeline;
  }

  @Override
  public String exec(SimContainer container, List<String> command, RequestedStreams requested) {
    return command("exec", requested, remote -> serveExec(remote, container, command, requested));
  }

  @Override
  public String attach(SimContainer container, RequestedStreams requested) {
    return command("attach", requested, remote -> serveAttach(remote, container, requested));
  }

  @Override
  public String portForward(SimSandbox sandbox, List<Integer> ports) {
    return prepare("portforward", new PortForward(sandbox, ports));
  }

  @Override
  public String console(String guest, boolean readonly) {
    RequestedStreams requested = new RequestedStreams(!readonly, true, false, true);
    return command("attach", requested, remote -> serveConsole(remote, guest));
  }

  /// Disconnects all streams.
  public void cut() {
    open.forEach(Runnable::run);
  }

  private String command(String kind, RequestedStreams requested, Consumer<RemoteCommand> run) {
    return prepare(kind, new CommandSession(requested, run));
  }

  private String prepare(String kind, StreamSession session) {
    try {
      return server.prepare(kind, new Counted(session, open));
    } catch (UncheckedIOException e) {
      throw CallRefusal.unknown(String.valueOf(e.getMessage()));
    }
  }

  private void serveExec(
      RemoteCommand remote,
      SimContainer container,
      List<String> command,
      RequestedStreams requested) {
    ProcessInbox inbox = new ProcessInbox();
    if (!requested.stdin()) {
      inbox.endInput();
    }
    remote.open();
    // A client that disconnects ends its command, which would otherwise keep a thread.
    remote.listen(inbox, () -> inbox.signal(ProcessInbox.KILL));
    remote.close(
        execution.run(container, command, inbox, output(remote, requested.tty()), requested.tty()));
  }

  /// Copies the output of the container's process to a client until one of both ends. The process
  /// does not end with the client.
  private void serveAttach(
      RemoteCommand remote, SimContainer container, RequestedStreams requested) {
    AtomicBoolean gone = new AtomicBoolean();
    Runnable detach = execution.attach(container, output(remote, requested.tty()));
    // The container ended after the URL was made.
    if (detach == null) {
      remote.close(0);
      return;
    }
    remote.open();
    remote.listen(
        execution.input(container),
        () -> {
          gone.set(true);
          execution.wake();
        });
    execution.awaitEnd(container, gone);
    detach.run();
    remote.close(0);
  }

  private void serveConsole(RemoteCommand remote, String guest) {
    ProcessInbox inbox = new ProcessInbox();
    remote.open();
    remote.listen(inbox, () -> inbox.signal(ProcessInbox.KILL));
    ProcessOutput output = output(remote, true);
    output.print("simulated console of " + guest + "\n");
    ProcessContext context =
        new ProcessContext(timeline, guest, Map.of(), new FileTree(List.of()), inbox, output, true);
    remote.close(SimShell.runBeside(ShellProgram.of(List.of("sh")), context));
  }

  /// A terminal in raw mode needs a carriage return to start a line at its left edge.
  private static ProcessOutput output(RemoteCommand remote, boolean tty) {
    CommandOutput output = remote.output();
    return (stream, bytes) -> output.write(stream, tty ? withReturns(bytes) : bytes);
  }

  private static byte[] withReturns(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return text.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  /// A session that `cut` can disconnect while it is served.
  private record Counted(StreamSession session, Set<Runnable> open) implements StreamSession {
    @Override
    public List<String> webSocketProtocols() {
      return session.webSocketProtocols();
    }

    @Override
    public List<String> spdyProtocols() {
      return session.spdyProtocols();
    }

    @Override
    public void serve(WebSocket socket) {
      serve(socket::close, () -> session.serve(socket));
    }

    @Override
    public void serve(SpdyConnection connection) {
      serve(connection::close, () -> session.serve(connection));
    }

    private void serve(Runnable cut, Runnable serving) {
      open.add(cut);
      try {
        serving.run();
      } finally {
        open.remove(cut);
      }
    }
  }
}
