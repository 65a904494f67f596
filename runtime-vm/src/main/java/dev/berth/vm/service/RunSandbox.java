package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.RandomIds;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.RunPodSandboxResponse;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.network.PodAddresses;
import dev.berth.vm.network.PodIdentity;
import dev.berth.vm.network.PodInterface;
import dev.berth.vm.network.PortMapping;
import dev.berth.vm.pods.ContainerReports;
import dev.berth.vm.pods.GuestStart;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.PodInventory;
import dev.berth.vm.pods.RuntimeParts;
import dev.berth.vm.pods.SandboxTeardown;
import dev.berth.vm.pods.VmHandler;
import dev.berth.vm.pods.rules.GuestSizes;
import dev.berth.vm.pods.rules.SandboxRules;
import dev.berth.vm.pods.state.SandboxPhase;
import dev.berth.vm.pods.state.SandboxRecord;
import io.grpc.Status;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `RunPodSandbox`: a machine and a network for a pod. The id is on disk before anything exists,
/// and a sandbox that cannot start leaves nothing.
final class RunSandbox {
  private static final Logger log = LoggerFactory.getLogger(RunSandbox.class);

  /// A boot on a busy machine may make no progress at all, and the next one does.
  private static final int ATTEMPTS = 2;

  private final RuntimeParts parts;
  private final PodInventory inventory;
  private final GuestStart guests;
  private final ContainerReports reports;
  private final SandboxTeardown teardown;
  private final GuestSizes sizes;
  private final RandomIds ids;

  RunSandbox(
      RuntimeParts parts,
      PodInventory inventory,
      GuestStart guests,
      ContainerReports reports,
      GuestSizes sizes,
      RandomIds ids) {
    this.parts = parts;
    this.inventory = inventory;
    this.guests = guests;
    this.reports = reports;
    this.teardown = new SandboxTeardown(parts);
    this.sizes = sizes;
    this.ids = ids;
  }

  RunPodSandboxResponse call(RunPodSandboxRequest request) {
    PodSandboxConfig config = request.getConfig();
    if (!config.hasMetadata()) {
      throw CallRefusal.unknown("sandbox config must include metadata");
    }
    VmHandler handler = VmHandler.require(request.getRuntimeHandler());
    SandboxRules.check(config);
    LivePod pod =
        inventory.reserve(
            new SandboxRecord(
                ids.id(),
                config,
                request.getRuntimeHandler(),
                handler.sharesMemory(),
                sizes.of(config.getLinux()),
                SandboxPhase.STARTING,
                inventory.now(),
                List.of(),
                ""));
    try {
      run(pod);
    } catch (RuntimeException e) {
      undo(pod, e);
      throw e;
    }
    return RunPodSandboxResponse.newBuilder().setPodSandboxId(pod.id()).build();
  }

  private void run(LivePod pod) {
    for (int attempt = 1; ; attempt++) {
      try {
        start(pod);
        return;
      } catch (GuestException e) {
        if (attempt == ATTEMPTS || e.kind() != GuestException.FailureKind.TIMEOUT) {
          throw e;
        }
        log.warn("guest started again sandbox={} reason={}", pod.id(), e.getMessage());
        teardown.dismantle(pod);
      }
    }
  }

  /// The plugins run while QEMU starts: each takes about as long as the other.
  private void start(LivePod pod) {
    int user = parts.machines().reserve(pod.id());
    PodInterface place = parts.networks().create(pod.id(), user);
    FutureTask<PodAddresses> connecting =
        new FutureTask<>(() -> parts.networks().connect(identity(pod)));
    Thread.ofVirtual().name("pod-network-" + pod.id()).start(connecting);
    PodGuest link;
    try {
      link = guests.start(pod, user, place);
    } catch (RuntimeException e) {
      awaitEnd(connecting);
      throw e;
    }
    PodAddresses network = await(connecting);
    guests.configure(pod, link, network);
    inventory.show(pod, pod.record().ready(GuestStart.addresses(network)));
    reports.watch(pod, link);
  }

  private static PodIdentity identity(LivePod pod) {
    PodSandboxConfig config = pod.record().config();
    return new PodIdentity(
        pod.id(),
        config.getMetadata().getNamespace(),
        config.getMetadata().getName(),
        config.getMetadata().getUid(),
        config.getPortMappingsList().stream()
            .filter(mapping -> mapping.getHostPort() > 0)
            .map(
                mapping ->
                    new PortMapping(
                        mapping.getProtocol().name().toLowerCase(Locale.ROOT),
                        mapping.getHostPort(),
                        mapping.getContainerPort(),
                        mapping.getHostIp()))
            .toList());
  }

  /// Whoever removes the network must not meet the plugins at work.
  private static void awaitEnd(FutureTask<PodAddresses> connecting) {
    try {
      await(connecting);
    } catch (RuntimeException e) {
      log.debug("network failed too reason={}", e.toString());
    }
  }

  private static PodAddresses await(FutureTask<PodAddresses> connecting) {
    try {
      return connecting.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallRefusal(Status.Code.CANCELLED, "the runtime service stops");
    }
  }

  /// What cannot be removed now is found by the next process: nothing has a record of it.
  private void undo(LivePod pod, RuntimeException cause) {
    log.warn("sandbox not started sandbox={} reason={}", pod.id(), cause.getMessage());
    try {
      teardown.dismantle(pod);
    } catch (RuntimeException e) {
      log.warn("sandbox not removed sandbox={} reason={}", pod.id(), e.toString());
    }
    inventory.remove(pod);
  }
}
