package dev.berth.sim.model;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.ContainerLimits;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.ContainerEventType;
import dev.berth.cri.v1.ContainerResources;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.UpdateContainerResourcesRequest;
import dev.berth.sim.call.WaitingCaller;
import dev.berth.sim.images.PulledImage;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.shell.ShellProgram;
import dev.berth.sim.time.SimClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The life cycle of containers: create, start, stop, end, remove. Order of the checks and texts of
/// the errors are containerd's.
///
/// Every operation holds the machine's lock, and `stop` releases it while it waits. Ends of
/// processes come in on other threads and take the lock for the change of state.
public final class ContainerLifecycle {
  /// Exit code of a process that SIGKILL ended: 128 and the signal's number.
  static final int KILLED = 137;

  /// containerd's exit code of a container that could not start.
  private static final int START_FAILED = 128;

  private final SimMachine machine;

  public ContainerLifecycle(SimMachine machine) {
    this.machine = machine;
  }

  /// Creates a container and returns its id.
  public String create(String sandboxId, ContainerConfig config) {
    return machine.locked(
        () -> {
          SimSandbox sandbox = sandboxFor(sandboxId);
          if (!config.hasMetadata()) {
            throw CallRefusal.unknown("container config must include metadata");
          }
          String id = machine.ids.id();
          String name = SimContainer.name(config, sandbox);
          // The name stays reserved until the container is removed: a second attempt of the same
          // container must not exist beside the first.
          reserve(name, id);
          try {
            create(id, sandbox, config);
          } catch (CallRefusal e) {
            machine.containerNames.remove(name);
            throw e;
          }
          return id;
        });
  }

  private void create(String id, SimSandbox sandbox, ContainerConfig config) {
    String imageName = config.getImage().getImage();
    PulledImage image =
        image(imageName, sandbox)
            .orElseThrow(
                () ->
                    CallRefusal.notFound(
                        "failed to resolve image \"%s\": not found".formatted(imageName)));
    SimHandler handler = machine.knobs.profile().handler(sandbox.handler).orElse(null);
    // The handler may have been removed since the sandbox was made; the sandbox keeps working.
    PlatformRules rules = PlatformRules.of(machine.knobs.profile(), handler);
    rules.checkContainer(config);
    rules.checkImage(id, image);
    SimContainer container =
        new SimContainer(
            id, sandbox, config, image, ContainerLimits.initial(config), machine.timeline.nanos());
    machine.containers.put(id, container);
    sandbox.containers.add(container);
    publish(container, ContainerEventType.CONTAINER_CREATED_EVENT);
  }

  public void start(String id) {
    machine.run(
        () -> {
          SimContainer container = find(id);
          if (container.state != ContainerState.CONTAINER_CREATED) {
            throw CallRefusal.unknown(
                "failed to set starting state for container \"%s\": container is in %s state"
                    .formatted(container.id, container.state));
          }
          if (!container.sandbox.ready) {
            throw CallRefusal.unknown(
                "sandbox container \"%s\" is not running".formatted(container.sandbox.id));
          }
          start(container);
        });
  }

  private void start(SimContainer container) {
    try {
      container.log =
          container.logPath().isEmpty()
              ? null
              : ContainerLog.create(Path.of(container.logPath()), machine.timeline);
    } catch (IOException e) {
      throw startFailed(
          container, "failed to create container io: open %s".formatted(e.getMessage()));
    }
    // The state changes before the process starts: the process may end before `start` returns.
    container.state = ContainerState.CONTAINER_RUNNING;
    container.startedAt = machine.timeline.nanos();
    container.process =
        ContainerProcess.start(
            ShellProgram.of(container.command()),
            machine.timeline,
            process -> CommandExecution.main(machine, container, process),
            (code, reason) -> ended(container, code, reason));
    publish(container, ContainerEventType.CONTAINER_STARTED_EVENT);
    ContainerEndings.of(container, machine.knobs.exits())
        .ifPresent(exit -> process(container).endAfter(exit.after(), exit.code(), exit.reason()));
  }

  private static ContainerProcess process(SimContainer container) {
    ContainerProcess process = container.process;
    if (process == null) {
      throw new IllegalStateException("not running: " + container.id);
    }
    return process;
  }

  /// Puts a container into the state that containerd leaves after a failed start, and makes the
  /// refusal.
  private CallRefusal startFailed(SimContainer container, String text) {
    container.state = ContainerState.CONTAINER_EXITED;
    container.finishedAt = machine.timeline.nanos();
    container.exitCode = START_FAILED;
    container.reason = "StartError";
    container.message = text;
    return CallRefusal.unknown(text);
  }

  /// Sends the stop signal, waits for the grace period, and kills. Succeeds at once for a container
  /// that does not run.
  public void stop(String id, Duration grace, WaitingCaller caller) {
    boolean[] gone = {false};
    machine.run(
        () -> {
          SimContainer container = find(id);
          if (!container.running()) {
            return;
          }
          if (grace.isZero() || grace.isNegative()) {
            kill(container);
            return;
          }
          ContainerProcess process = process(container);
          process.signal(StopSignals.number(container.config.getStopSignal()));
          // A process that was stopped by the timer has the exit code of SIGKILL, one that obeyed
          // its own.
          SimClock.Timer timer = machine.timeline.after(grace, () -> process.finish(KILLED, ""));
          awaitEnd(container, caller, gone);
          timer.cancel();
        });
    if (gone[0]) {
      throw new CallRefusal(io.grpc.Status.Code.CANCELLED, "context canceled");
    }
  }

  /// Waits on the machine's condition, which releases its lock: other calls go on meanwhile.
  private void awaitEnd(SimContainer container, WaitingCaller caller, boolean[] gone) {
    if (container.running()) {
      // The task may run at once and on this thread. The lock is reentrant, so it does not block.
      caller.onGivingUp(
          () ->
              machine.run(
                  () -> {
                    gone[0] = true;
                    machine.changed.signalAll();
                  }));
    }
    while (container.running() && !gone[0]) {
      try {
        machine.changed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        gone[0] = true;
      }
    }
  }

  /// Kills and removes a container. Succeeds for a container that does not exist, as CRI demands.
  public void remove(String id) {
    machine.run(
        () -> {
          try {
            machine.containers.lookUp(id).ifPresent(this::remove);
          } catch (CallRefusal e) {
            throw e.in("an error occurred when try to find container \"%s\"".formatted(id));
          }
        });
  }

  void remove(SimContainer container) {
    kill(container);
    container.sandbox.containers.remove(container);
    machine.containers.remove(container.id);
    machine.containerNames.remove(SimContainer.name(container.config, container.sandbox));
    publish(container, ContainerEventType.CONTAINER_DELETED_EVENT);
  }

  void kill(SimContainer container) {
    if (container.running()) {
      process(container).finish(KILLED, "");
    }
  }

  /// Ends a running container as if its process had ended; returns false when the container does
  /// not run.
  public boolean crash(String id, int code, String reason) {
    return machine.locked(
        () -> {
          SimContainer container = find(id);
          if (!container.running()) {
            return false;
          }
          process(container).finish(code, reason);
          return true;
        });
  }

  /// Ends the thread of a container whose machine is switched off. The container is gone from the
  /// machine, so no event follows.
  static void forget(SimContainer container) {
    ContainerProcess process = container.process;
    if (process != null) {
      process.finish(KILLED, "");
    }
  }

  /// Records the end of a process. It comes from a timer, a signal or the thread of the process,
  /// and takes the lock.
  private void ended(SimContainer container, int code, String reason) {
    machine.run(
        () -> {
          container.state = ContainerState.CONTAINER_EXITED;
          container.finishedAt = machine.timeline.nanos();
          container.exitCode = code;
          container.reason = reason.isEmpty() ? (code == 0 ? "Completed" : "Error") : reason;
          ContainerLog log = container.log;
          if (log != null) {
            log.close();
          }
          machine.changed.signalAll();
          publish(container, ContainerEventType.CONTAINER_STOPPED_EVENT);
        });
  }

  public void update(UpdateContainerResourcesRequest request) {
    machine.run(
        () -> {
          SimContainer container;
          try {
            container = machine.containers.find(request.getContainerId());
          } catch (CallRefusal e) {
            throw e.in("failed to find container");
          }
          SimHandler handler =
              machine.knobs.profile().handler(container.sandbox.handler).orElse(null);
          PlatformRules.of(machine.knobs.profile(), handler).checkUpdate(request);
          ContainerResources.Builder resources = container.resources.toBuilder();
          // An update changes only the fields that it names; Kubernetes resizes one resource at a
          // time.
          if (request.hasLinux()) {
            resources.setLinux(ContainerLimits.merged(resources.getLinux(), request.getLinux()));
          }
          if (request.hasWindows()) {
            resources.getWindowsBuilder().mergeFrom(request.getWindows());
          }
          container.resources = resources.build();
        });
  }

  public void reopenLog(String id) {
    machine.run(
        () -> {
          SimContainer container = find(id);
          if (!container.running()) {
            throw CallRefusal.unknown("container is not running");
          }
          try {
            ContainerLog log = container.log;
            if (log != null) {
              log.reopen();
            }
          } catch (IOException e) {
            throw CallRefusal.unknown("failed to create container logger: " + e.getMessage());
          }
        });
  }

  private SimContainer find(String id) {
    try {
      return machine.containers.find(id);
    } catch (CallRefusal e) {
      throw e.in("an error occurred when try to find container \"%s\"".formatted(id));
    }
  }

  /// The sandbox for a new container, which must be ready. The text is that of containerd, whose
  /// check is the lookup of the sandbox's task.
  private SimSandbox sandboxFor(String id) {
    SimSandbox sandbox;
    try {
      sandbox = machine.sandboxes.find(id);
    } catch (CallRefusal e) {
      throw e.in("failed to find sandbox id \"%s\"".formatted(id));
    }
    if (!sandbox.ready) {
      throw CallRefusal.notFound(
          "failed to get sandbox container task: no running task found: task %s not found: not found"
              .formatted(sandbox.id));
    }
    return sandbox;
  }

  private void reserve(String name, String id) {
    String owner = machine.containerNames.putIfAbsent(name, id);
    if (owner != null) {
      throw CallRefusal.unknown(
          "failed to reserve container name \"%s\": name \"%s\" is reserved for \"%s\""
              .formatted(name, name, owner));
    }
  }

  /// Finds the image pulled for the sandbox's handler, else the one pulled without a handler.
  private Optional<PulledImage> image(String name, SimSandbox sandbox) {
    return machine
        .images
        .find(name, machine.knobs.profile().canonical(sandbox.handler))
        .or(() -> machine.images.find(name, ""));
  }

  private void publish(SimContainer container, ContainerEventType type) {
    machine.events.publish(() -> CriViews.of(machine).event(container.id, type, container.sandbox));
  }
}
