package dev.berth.sim.model;

import com.google.protobuf.ByteString;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.sim.shell.ProcessContext;
import dev.berth.sim.shell.ProcessInbox;
import dev.berth.sim.shell.ProcessOutput;
import dev.berth.sim.shell.ShellProgram;
import dev.berth.sim.shell.SimShell;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Runs commands in containers: the container's own process, and those of `ExecSync`, `Exec` and
/// `Attach`.
///
/// Commands run on the caller's thread and without the machine's lock, because they may wait for
/// hours; only lookups take it.
public final class CommandExecution {
  /// containerd's limit for the output of `ExecSync`.
  private static final int LARGEST_OUTPUT = 16 * 1024 * 1024;

  /// The output of a container without a log.
  private static final ProcessOutput NOWHERE = (_, _) -> {};

  private final SimMachine machine;

  public CommandExecution(SimMachine machine) {
    this.machine = machine;
  }

  /// The output and exit code of a finished command.
  public record Result(ByteString stdout, ByteString stderr, int exitCode) {}

  /// Runs a command to its end and kills it after the limit. A limit of zero means none.
  public Result runToEnd(String containerId, List<String> command, Duration limit) {
    String failed = "failed to exec in container";
    SimContainer container;
    try {
      container = running(containerId);
      requireProgram(command);
    } catch (CallRefusal e) {
      throw e.in(failed);
    }
    ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    ProcessOutput output =
        (stream, bytes) -> {
          ByteArrayOutputStream target = stream == ProcessOutput.STDERR ? stderr : stdout;
          target.write(bytes, 0, Math.min(bytes.length, LARGEST_OUTPUT - target.size()));
        };
    ProcessInbox inbox = new ProcessInbox();
    // A command of ExecSync reads an empty standard input.
    inbox.endInput();
    AtomicBoolean late = new AtomicBoolean();
    var timer =
        limit.isZero()
            ? null
            : machine.timeline.after(
                limit,
                () -> {
                  late.set(true);
                  inbox.signal(ProcessInbox.KILL);
                });
    int code = run(container, command, inbox, output, false);
    if (timer != null) {
      timer.cancel();
    }
    // The output until the limit is lost, as with containerd.
    if (late.get()) {
      throw new CallRefusal(
          Status.Code.DEADLINE_EXCEEDED,
          "%s: timeout %ds exceeded: context deadline exceeded"
              .formatted(failed, limit.toSeconds()));
    }
    return new Result(
        ByteString.copyFrom(stdout.toByteArray()), ByteString.copyFrom(stderr.toByteArray()), code);
  }

  /// Runs a command with a client at its streams; blocks until the command ends.
  public int run(
      SimContainer container,
      List<String> command,
      ProcessInbox inbox,
      ProcessOutput output,
      boolean terminal) {
    ProcessContext context = processContext(machine, container, inbox, output, terminal);
    return SimShell.runBeside(ShellProgram.of(command), context);
  }

  /// Refuses a command that cannot be started, with runc's error.
  public void requireProgram(List<String> command) {
    String failed =
        "failed to start exec \"%s\": OCI runtime exec failed: exec failed: "
            .formatted(machine.ids.id());
    if (command.isEmpty()) {
      throw CallRefusal.unknown(failed + "args must not be empty: unknown");
    }
    if (ShellProgram.of(command) instanceof ShellProgram.Unknown) {
      throw CallRefusal.unknown(
          "%sunable to start container process: exec: \"%s\": executable file not found in $PATH: unknown"
              .formatted(failed, command.getFirst()));
    }
  }

  /// Finds a container, which must run.
  public SimContainer running(String id) {
    return running(id, "failed to find container \"%s\" in store".formatted(id));
  }

  /// Finds a container with the error text of containerd's `Attach`.
  public SimContainer attachable(String id) {
    return running(id, "failed to find container in store");
  }

  private SimContainer running(String id, String context) {
    return machine.locked(
        () -> {
          SimContainer container;
          try {
            container = machine.containers.find(id);
          } catch (CallRefusal e) {
            throw e.in(context);
          }
          if (!container.running()) {
            throw CallRefusal.unknown("container is in " + container.state + " state");
          }
          return container;
        });
  }

  @Nullable ContainerProcess process(SimContainer container) {
    return machine.locked(() -> container.running() ? container.process : null);
  }

  /// Copies the container's output to a client until the returned action runs. Null when the
  /// container has ended.
  public @Nullable Runnable attach(SimContainer container, ProcessOutput output) {
    ContainerProcess process = process(container);
    if (process == null) {
      return null;
    }
    process.attach(output);
    return () -> process.detach(output);
  }

  /// The standard input of a running container; null when the container keeps none.
  public @Nullable ProcessInbox input(SimContainer container) {
    ContainerProcess process = process(container);
    return process == null || !container.config.getStdin() ? null : process.inbox();
  }

  /// Blocks until the container has ended or the flag is set. `wake` must follow a change of the
  /// flag.
  public void awaitEnd(SimContainer container, AtomicBoolean over) {
    machine.run(
        () -> {
          while (container.running() && !over.get()) {
            try {
              machine.changed.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              return;
            }
          }
        });
  }

  /// Wakes the threads in `awaitEnd`, so that they check their flag.
  public void wake() {
    machine.run(machine.changed::signalAll);
  }

  static ProcessContext main(SimMachine machine, SimContainer container, ContainerProcess process) {
    ProcessInbox inbox = process.inbox();
    if (inbox == null) {
      throw new IllegalStateException("only a process with an inbox has a context");
    }
    if (!container.config.getStdin()) {
      inbox.endInput();
    }
    ContainerLog log = container.log;
    ProcessOutput output = process.fanOut(log == null ? NOWHERE : log);
    return processContext(machine, container, inbox, output, container.config.getTty());
  }

  /// The context of a process in a container. Environment values are bytes in CRI, and text for
  /// programs.
  private static ProcessContext processContext(
      SimMachine machine,
      SimContainer container,
      ProcessInbox inbox,
      ProcessOutput output,
      boolean terminal) {
    Map<String, String> variables = new HashMap<>();
    container
        .config
        .getEnvsList()
        .forEach(pair -> variables.put(pair.getKey(), pair.getValue().toStringUtf8()));
    return new ProcessContext(
        machine.timeline,
        container.sandbox.config.getHostname(),
        variables,
        machine.locked(container::files),
        inbox,
        output,
        terminal);
  }
}
