package dev.berth.sim.streams;

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

/// The streams of one service; they end when the service crashes.
public final class ServiceStreams implements Streams, Consoles {
  private final StreamingServer server;
  private final Execution execution;
  private final Timeline timeline;
  private final Set<WebSocket> open = ConcurrentHashMap.newKeySet();

  public ServiceStreams(StreamingServer server, Execution execution, Timeline timeline) {
    this.server = server;
    this.execution = execution;
    this.timeline = timeline;
  }

  @Override
  public String exec(Container container, List<String> command, Wanted wanted) {
    return prepare("exec", socket -> serveExec(socket, container, command, wanted));
  }

  @Override
  public String attach(Container container, Wanted wanted) {
    return prepare("attach", socket -> serveAttach(socket, container, wanted));
  }

  @Override
  public String portForward(Sandbox sandbox, List<Integer> ports) {
    String pod = sandbox.config().getMetadata().getName();
    return prepare("portforward", socket -> new PortForward(socket, pod, ports).serve());
  }

  @Override
  public String console(String guest, boolean readonly) {
    Wanted wanted = new Wanted(!readonly, true, false, true);
    return prepare("attach", socket -> serveConsole(socket, guest, wanted));
  }

  /// Cuts all streams off.
  public void cut() {
    open.forEach(WebSocket::close);
  }

  private String prepare(String kind, Session session) {
    return server.prepare(
        kind,
        socket -> {
          open.add(socket);
          try {
            session.serve(socket);
          } finally {
            open.remove(socket);
          }
        });
  }

  private void serveExec(
      WebSocket socket, Container container, List<String> command, Wanted wanted) {
    RemoteCommand remote = new RemoteCommand(socket, wanted);
    Inbox inbox = new Inbox();
    if (!wanted.stdin()) {
      inbox.endInput();
    }
    remote.open();
    remote.listen(inbox, () -> inbox.signal(Inbox.KILL));
    remote.close(execution.run(container, command, inbox, remote.output(), wanted.tty()));
  }

  private void serveAttach(WebSocket socket, Container container, Wanted wanted) {
    RemoteCommand remote = new RemoteCommand(socket, wanted);
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

  private void serveConsole(WebSocket socket, String guest, Wanted wanted) {
    RemoteCommand remote = new RemoteCommand(socket, wanted);
    Inbox inbox = new Inbox();
    remote.open();
    remote.listen(inbox, () -> inbox.signal(Inbox.KILL));
    remote.output().print("simulated console of " + guest + "\n");
    Surroundings around =
        new Surroundings(
            timeline, guest, Map.of(), new FileTree(List.of()), inbox, remote.output(), true);
    remote.close(Shell.runBeside(Program.of(List.of("sh")), around));
  }
}
