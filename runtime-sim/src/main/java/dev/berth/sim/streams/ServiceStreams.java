package dev.berth.sim.streams;

import dev.berth.sim.http.SpdyConnection;
import dev.berth.sim.http.WebSocket;
import dev.berth.sim.model.Container;
import dev.berth.sim.model.Execution;
import dev.berth.sim.model.Sandbox;
import dev.berth.sim.service.StreamVerbs.Streams;
import dev.berth.sim.service.StreamVerbs.Wanted;
import dev.berth.sim.shell.FileTree;
import dev.berth.sim.shell.Inbox;
import dev.berth.sim.shell.Program;
import dev.berth.sim.shell.Shell;
import dev.berth.sim.shell.Surroundings;
import dev.berth.sim.time.Timeline;
import dev.berth.sim.vm.VmConsole.Consoles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The streams of one service; they end when the service crashes.
public final class ServiceStreams implements Streams, Consoles {
  private final StreamingServer server;
  private final Execution execution;
  private final Timeline timeline;

  /// How to cut off each stream that is open.
  private final Set<Runnable> open = ConcurrentHashMap.newKeySet();

  public ServiceStreams(StreamingServer server, Execution execution, Timeline timeline) {
    this.server = server;
    this.execution = execution;
    this.timeline = timeline;
  }

  @Override
  public String exec(Container container, List<String> command, Wanted wanted) {
    return command("exec", wanted, remote -> serveExec(remote, container, command, wanted));
  }

  @Override
  public String attach(Container container, Wanted wanted) {
    return command("attach", wanted, remote -> serveAttach(remote, container));
  }

  @Override
  public String portForward(Sandbox sandbox, List<Integer> ports) {
    return server.prepare("portforward", new Counted(new PortForward(sandbox, ports), open));
  }

  @Override
  public String console(String guest, boolean readonly) {
    Wanted wanted = new Wanted(!readonly, true, false, true);
    return command("attach", wanted, remote -> serveConsole(remote, guest));
  }

  /// Cuts all streams off.
  public void cut() {
    open.forEach(Runnable::run);
  }

  private String command(String kind, Wanted wanted, Consumer<RemoteCommand> run) {
    return server.prepare(kind, new Counted(new CommandSession(wanted, run), open));
  }

  private void serveExec(
      RemoteCommand remote, Container container, List<String> command, Wanted wanted) {
    Inbox inbox = new Inbox();
    if (!wanted.stdin()) {
      inbox.endInput();
    }
    remote.open();
    remote.listen(inbox, () -> inbox.signal(Inbox.KILL));
    remote.close(execution.run(container, command, inbox, remote.output(), wanted.tty()));
  }

  private void serveAttach(RemoteCommand remote, Container container) {
    AtomicBoolean gone = new AtomicBoolean();
    Runnable detach = execution.attach(container, remote.output());
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
    Inbox inbox = new Inbox();
    remote.open();
    remote.listen(inbox, () -> inbox.signal(Inbox.KILL));
    remote.output().print("simulated console of " + guest + "\n");
    Surroundings around =
        new Surroundings(
            timeline, guest, Map.of(), new FileTree(List.of()), inbox, remote.output(), true);
    remote.close(Shell.runBeside(Program.of(List.of("sh")), around));
  }

  /// A session that can be cut off while it is served.
  private record Counted(Session session, Set<Runnable> open) implements Session {
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
