package dev.berth.sim.model;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.ContainerEventType;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.UpdatePodSandboxResourcesRequest;
import dev.berth.cri.v1.WindowsNamespaceOption;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.util.ArrayList;
import java.util.List;

/// The life cycle of sandboxes: run, stop, remove. Order of the checks and texts of the errors are
/// containerd's.
///
/// Every operation is atomic under the machine's lock: CRI's clients may repeat a call whose answer
/// was lost, and must find all of its effects or none.
public final class SandboxLifecycle {
  private final SimMachine machine;
  private final ContainerLifecycle containers;

  public SandboxLifecycle(SimMachine machine, ContainerLifecycle containers) {
    this.machine = machine;
    this.containers = containers;
  }

  /// Runs a sandbox and returns its id. A refusal releases the reserved name.
  public String run(PodSandboxConfig config, String handlerName) {
    if (!config.hasMetadata()) {
      throw CallRefusal.unknown("sandbox config must include metadata");
    }
    return machine.locked(
        () -> {
          String id = machine.ids.id();
          String name = SimSandbox.name(config);
          // containerd reserves the name first, so that of two calls for the same attempt of a pod
          // one is refused at once.
          reserve(name, id);
          try {
            SimHandler handler = handler(handlerName);
            SimProfile profile = machine.knobs.profile();
            PlatformRules.of(profile, handler).checkSandbox(config);
            // The node's network has no addresses of its own per pod; CRI then reports none.
            List<String> addresses = usesHostNetwork(config) ? List.of() : addresses(id);
            long now = machine.timeline.nanos();
            SimSandbox sandbox = new SimSandbox(id, config, handlerName, now, addresses);
            machine.sandboxes.put(id, sandbox);
            // containerd reports the sandbox's own container with the id of the sandbox.
            publish(sandbox, ContainerEventType.CONTAINER_CREATED_EVENT);
            publish(sandbox, ContainerEventType.CONTAINER_STARTED_EVENT);
          } catch (CallRefusal e) {
            machine.sandboxNames.remove(name);
            throw e;
          }
          return id;
        });
  }

  /// Kills the containers of a sandbox and stops it. Stopping a stopped sandbox succeeds.
  public void stop(String id) {
    machine.run(() -> stop(find(id)));
  }

  private void stop(SimSandbox sandbox) {
    // Containers end before the network goes, so that their last output and events come first.
    sandbox.containers.forEach(containers::kill);
    machine.listeners.forEach(listener -> listener.stopped(sandbox));
    if (sandbox.ready) {
      sandbox.ready = false;
      machine.releaseAddresses(sandbox);
      publish(sandbox, ContainerEventType.CONTAINER_STOPPED_EVENT);
    }
  }

  /// Stops and removes a sandbox. Succeeds for a sandbox that does not exist, as CRI demands.
  public void remove(String id) {
    machine.run(
        () -> {
          try {
            machine.sandboxes.lookUp(id).ifPresent(this::remove);
          } catch (CallRefusal e) {
            throw e.in("an error occurred when try to find sandbox \"%s\"".formatted(id));
          }
        });
  }

  private void remove(SimSandbox sandbox) {
    stop(sandbox);
    // A copy, because the removal changes the list.
    List.copyOf(sandbox.containers).forEach(containers::remove);
    machine.listeners.forEach(listener -> listener.removed(sandbox));
    machine.sandboxes.remove(sandbox.id);
    machine.sandboxNames.remove(SimSandbox.name(sandbox.config));
    publish(sandbox, ContainerEventType.CONTAINER_DELETED_EVENT);
  }

  public void update(UpdatePodSandboxResourcesRequest request) {
    machine.run(
        () -> {
          SimSandbox sandbox = find(request.getPodSandboxId());
          sandbox.overhead = sandbox.overhead.toBuilder().mergeFrom(request.getOverhead()).build();
          sandbox.resources =
              sandbox.resources.toBuilder().mergeFrom(request.getResources()).build();
        });
  }

  private SimSandbox find(String id) {
    try {
      return machine.sandboxes.find(id);
    } catch (CallRefusal e) {
      throw e.in("an error occurred when try to find sandbox \"%s\"".formatted(id));
    }
  }

  private void reserve(String name, String id) {
    String owner = machine.sandboxNames.putIfAbsent(name, id);
    if (owner != null) {
      throw CallRefusal.unknown(
          "failed to reserve sandbox name \"%s\": name \"%s\" is reserved for \"%s\""
              .formatted(name, name, owner));
    }
  }

  private SimHandler handler(String name) {
    return machine
        .knobs
        .profile()
        .handler(name)
        .orElseThrow(
            () ->
                CallRefusal.unknown(
                    "failed to get sandbox runtime: no runtime for \"%s\" is configured"
                        .formatted(name)));
  }

  private List<String> addresses(String id) {
    String failed = "failed to setup network for sandbox \"" + id + "\": ";
    if (!machine.knobs.network().ready()) {
      throw CallRefusal.unknown(failed + "cni plugin not initialized");
    }
    List<String> addresses = new ArrayList<>();
    for (AddressPool pool : machine.pools) {
      addresses.add(
          pool.take()
              .orElseThrow(
                  () -> CallRefusal.unknown(failed + "no IP addresses available in range set")));
    }
    return addresses;
  }

  private static boolean usesHostNetwork(PodSandboxConfig config) {
    NamespaceMode linux = config.getLinux().getSecurityContext().getNamespaceOptions().getNetwork();
    WindowsNamespaceOption windows = config.getWindows().getSecurityContext().getNamespaceOptions();
    return linux == NamespaceMode.NODE || windows.getNetwork() == NamespaceMode.NODE;
  }

  private void publish(SimSandbox sandbox, ContainerEventType type) {
    machine.events.publish(() -> CriViews.of(machine).event(sandbox.id, type, sandbox));
  }
}
