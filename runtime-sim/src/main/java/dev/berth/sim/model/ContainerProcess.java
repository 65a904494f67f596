package dev.berth.sim.model;

import dev.berth.sim.shell.ProcessContext;
import dev.berth.sim.shell.ProcessInbox;
import dev.berth.sim.shell.ProcessOutput;
import dev.berth.sim.shell.ShellProgram;
import dev.berth.sim.shell.SimShell;
import dev.berth.sim.time.SimClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The main process of a running container.
///
/// A process that sleeps is a timer, and one whose command is not simulated is nothing at all; only
/// a script takes a virtual thread. So one simulator can hold a hundred thousand idle containers.
/// Any thread may call it.
final class ContainerProcess {
  /// Receives the exit code and reason of a process, once.
  interface End {
    void ended(int code, String reason);
  }

  /// Added to a signal's number: the exit code of a process that a signal ended.
  private static final int SIGNALLED = 128;

  private final SimClock timeline;
  private final End end;
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<ProcessOutput> attached = new CopyOnWriteArrayList<>();
  private final @Nullable ProcessInbox inbox;
  private volatile SimClock.@Nullable Timer timer;

  private ContainerProcess(SimClock timeline, boolean scripted, End end) {
    this.timeline = timeline;
    this.inbox = scripted ? new ProcessInbox() : null;
    this.end = end;
  }

  /// Starts the process. The process may end before this method returns.
  ///
  /// @param processContext makes the context of a script; other processes need none
  static ContainerProcess start(
      ShellProgram program,
      SimClock timeline,
      Function<ContainerProcess, ProcessContext> processContext,
      End end) {
    return switch (program) {
      case ShellProgram.Unknown _ -> new ContainerProcess(timeline, false, end);
      case ShellProgram.Sleep(var time) -> {
        ContainerProcess process = new ContainerProcess(timeline, false, end);
        process.endAfter(time, 0, "");
        yield process;
      }
      case ShellProgram.Command _,
          ShellProgram.Script _,
          ShellProgram.Interactive _,
          ShellProgram.Broken _ -> {
        ContainerProcess process = new ContainerProcess(timeline, true, end);
        ProcessContext context = processContext.apply(process);
        Thread.ofVirtual()
            .name("sim-container")
            .start(() -> process.finish(SimShell.runMain(program, context), ""));
        yield process;
      }
    };
  }

  /// Ends the process after a time, whatever its program does.
  void endAfter(Duration time, int code, String reason) {
    // A process that ends before this assignment leaves the timer behind; the timer then has no
    // effect.
    timer = timeline.after(time, () -> finish(code, reason));
  }

  void signal(int number) {
    if (inbox == null) {
      finish(SIGNALLED + number, "");
    } else {
      inbox.signal(number);
    }
  }

  /// Ends the process with a code. Only the first call counts: a timer, a signal and the program
  /// may race.
  void finish(int code, String reason) {
    if (over.compareAndSet(false, true)) {
      SimClock.Timer pending = timer;
      if (pending != null) {
        pending.cancel();
      }
      // Ends the thread of a script that still runs; its own call of `finish` then has no effect.
      if (inbox != null) {
        inbox.signal(ProcessInbox.KILL);
      }
      end.ended(code, reason);
    }
  }

  /// The signals and standard input of a script; null for other processes.
  @Nullable ProcessInbox inbox() {
    return inbox;
  }

  /// Copies the output from now on.
  void attach(ProcessOutput output) {
    attached.add(output);
  }

  void detach(ProcessOutput output) {
    attached.remove(output);
  }

  /// Writes to the log and to all attached outputs.
  ProcessOutput fanOut(ProcessOutput log) {
    return (stream, bytes) -> {
      log.write(stream, bytes);
      attached.forEach(output -> output.write(stream, bytes));
    };
  }
}
