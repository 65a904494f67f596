package dev.berth.vm.service;

import dev.berth.cri.v1.StopPodSandboxRequest;
import dev.berth.cri.v1.StopPodSandboxResponse;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.pods.ContainerReports;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.LivePod;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.SandboxTeardown;
import dev.berth.vm.pods.rules.StopSignals;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `StopPodSandbox`: ends the machine and the network of a pod. It can be repeated.
final class StopSandbox {
  private static final Logger log = LoggerFactory.getLogger(StopSandbox.class);

  /// How long containers get to be killed one by one, for their last output and exit code.
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final FoundPods found;
  private final ContainerReports reports;
  private final SandboxTeardown teardown;

  StopSandbox(FoundPods found, ContainerReports reports, SandboxTeardown teardown) {
    this.found = found;
    this.reports = reports;
    this.teardown = teardown;
  }

  StopPodSandboxResponse call(StopPodSandboxRequest request) {
    String id = request.getPodSandboxId();
    LivePod pod = found.pod(id, "an error occurred when try to find sandbox \"%s\"".formatted(id));
    pod.calls().lock();
    try {
      stop(pod);
    } finally {
      pod.calls().unlock();
    }
    return StopPodSandboxResponse.getDefaultInstance();
  }

  /// The caller holds the sandbox's lock.
  void stop(LivePod pod) {
    pod.guest().ifPresent(guest -> killContainers(pod, guest));
    teardown.dismantle(pod);
    reports.endAll(pod, "Error", "");
    found.inventory().change(pod, record -> record.isReady() ? record.stopped("") : record);
  }

  /// A guest that does not answer is not waited for: its machine ends anyway.
  private static void killContainers(LivePod pod, PodGuest guest) {
    List<LiveContainer> running =
        pod.containers().stream().filter(one -> one.record().isRunning()).toList();
    if (running.isEmpty() || guest.machine().exit().isPresent()) {
      return;
    }
    Thread killing =
        Thread.ofVirtual().name("pod-kill-" + pod.id()).start(() -> kill(running, guest));
    long end = System.nanoTime() + GRACE.toNanos();
    try {
      for (LiveContainer container : running) {
        boolean _ = container.awaitEnd(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
      killing.interrupt();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void kill(List<LiveContainer> running, PodGuest guest) {
    try {
      GuestAgent agent = guest.agent();
      running.forEach(container -> agent.signal(container.id(), StopSignals.KILL));
    } catch (GuestException e) {
      log.debug("containers not killed one by one reason={}", e.getMessage());
    }
  }
}
