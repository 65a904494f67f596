package dev.berth.sim.model;

import dev.berth.sim.shell.Inbox;
import dev.berth.sim.shell.Output;
import dev.berth.sim.shell.Program;
import dev.berth.sim.shell.Shell;
import dev.berth.sim.shell.Surroundings;
import dev.berth.sim.time.Timeline;
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

  private final Timeline timeline;
  private final End end;
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Output> attached = new CopyOnWriteArrayList<>();
  private final @Nullable Inbox inbox;
  private volatile Timeline.@Nullable Timer timer;

  private ContainerProcess(Timeline timeline, boolean scripted, End end) {
    this.timeline = timeline;
    this.inbox = scripted ? new Inbox() : null;
    this.end = end;
  }

  /// Runs when it returns; the end may come before that.
  ///
  /// @param surroundings made for a script only, with the inbox and output it is given
  static ContainerProcess start(
      Program program,
      Timeline timeline,
      Function<ContainerProcess, Surroundings> surroundings,
      End end) {
    return switch (program) {
      case Program.Unknown _, Program.Broken _ -> new ContainerProcess(timeline, false, end);
      case Program.Sleep(var time) -> {
        ContainerProcess process = new ContainerProcess(timeline, false, end);
        process.endAfter(time, 0, "");
        yield process;
      }
      case Program.Script _, Program.Interactive _ -> {
        ContainerProcess process = new ContainerProcess(timeline, true, end);
        Surroundings around = surroundings.apply(process);
        Thread.ofVirtual()
            .name("sim-container")
            .start(() -> process.finish(Shell.runMain(program, around), ""));
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
      Timeline.Timer pending = timer;
      if (pending != null) {
        pending.cancel();
      }
      if (inbox != null) {
        inbox.signal(Inbox.KILL);
      }
      end.ended(code, reason);
    }
  }

  /// Standard input; a process without a script has none.
  @Nullable Inbox inbox() {
    return inbox;
  }

  /// Everything it writes from now on goes there, too.
  void attach(Output output) {
    attached.add(output);
  }

  void detach(Output output) {
    attached.remove(output);
  }

  /// Copies to everybody who is attached.
  Output fanOut(Output log) {
    return (stream, bytes) -> {
      log.write(stream, bytes);
      attached.forEach(output -> output.write(stream, bytes));
    };
  }
}
