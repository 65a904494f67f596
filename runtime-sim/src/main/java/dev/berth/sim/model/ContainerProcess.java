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

/// The first process of a container while it runs.
///
/// One that sleeps or does nothing known is only a timer or not even that; a script has a virtual
/// thread.
final class ContainerProcess {
  /// How a process ended.
  interface End {
    void ended(int code, String reason);
  }

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

  /// Runs when it returns; the end may come before that.
  ///
  /// @param processContext made for a script only, with the inbox and output it is given
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
        ProcessContext around = processContext.apply(process);
        Thread.ofVirtual()
            .name("sim-container")
            .start(() -> process.finish(SimShell.runMain(program, around), ""));
        yield process;
      }
    };
  }

  /// What the simulator decides, whatever the program does.
  void endAfter(Duration time, int code, String reason) {
    timer = timeline.after(time, () -> finish(code, reason));
  }

  void signal(int number) {
    if (inbox == null) {
      finish(SIGNALLED + number, "");
    } else {
      inbox.signal(number);
    }
  }

  /// Ends it as a crash of the process would.
  void finish(int code, String reason) {
    if (over.compareAndSet(false, true)) {
      SimClock.Timer pending = timer;
      if (pending != null) {
        pending.cancel();
      }
      if (inbox != null) {
        inbox.signal(ProcessInbox.KILL);
      }
      end.ended(code, reason);
    }
  }

  /// Standard input; a process without a script has none.
  @Nullable ProcessInbox inbox() {
    return inbox;
  }

  /// Everything it writes from now on goes there, too.
  void attach(ProcessOutput output) {
    attached.add(output);
  }

  void detach(ProcessOutput output) {
    attached.remove(output);
  }

  /// Copies to everybody who is attached.
  ProcessOutput fanOut(ProcessOutput log) {
    return (stream, bytes) -> {
      log.write(stream, bytes);
      attached.forEach(output -> output.write(stream, bytes));
    };
  }
}
