package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.StartContainerRequest;
import dev.berth.cri.v1.StartContainerResponse;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.pods.ContainerReports;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.PodInventory;
import dev.berth.vm.pods.PodViews;
import dev.berth.vm.pods.output.ContainerOutput;
import dev.berth.vm.pods.state.ContainerEnd;
import dev.berth.vm.pods.state.ContainerPhase;
import dev.berth.vm.pods.state.ContainerRecord;
import java.io.IOException;

/// `StartContainer`: runs the program of a container, once. A container that has ended is never
/// started again; the kubelet creates a new one.
final class StartContainer {
  private final FoundPods found;
  private final ContainerReports reports;

  StartContainer(FoundPods found, ContainerReports reports) {
    this.found = found;
    this.reports = reports;
  }

  StartContainerResponse call(StartContainerRequest request) {
    LiveContainer container = found.container(request.getContainerId());
    container.pod().calls().lock();
    try {
      start(container);
    } finally {
      container.pod().calls().unlock();
    }
    return StartContainerResponse.getDefaultInstance();
  }

  private void start(LiveContainer container) {
    ContainerRecord record = container.record();
    if (record.phase() != ContainerPhase.CREATED) {
      throw CallRefusal.unknown(
          "failed to set starting state for container \"%s\": container is in %s state"
              .formatted(container.id(), PodViews.state(record)));
    }
    PodGuest guest =
        container
            .pod()
            .guest()
            .filter(_ -> container.pod().record().isReady())
            .orElseThrow(
                () ->
                    CallRefusal.unknown(
                        "sandbox container \"%s\" is not running".formatted(container.pod().id())));
    openOutput(container);
    // An end that is reported meanwhile waits until the start is recorded.
    container.changes().lock();
    try {
      guest.agent().start(container.id());
      PodInventory inventory = found.inventory();
      inventory.change(
          container, one -> one.running(Math.max(inventory.now(), one.createdAt() + 1)));
    } catch (GuestException e) {
      throw failed(container, e);
    } finally {
      container.changes().unlock();
    }
  }

  private void openOutput(LiveContainer container) {
    PodInventory inventory = found.inventory();
    try {
      container.output(
          ContainerOutput.open(
              container.record().logFile(),
              inventory.state().positionFile(container.id()),
              inventory.clock()));
    } catch (IOException e) {
      String text = "failed to create container io: open " + e.getMessage();
      end(container, text);
      throw CallRefusal.unknown(text);
    }
  }

  /// A refusal of the guest ends the container, as with containerd. After no answer the program may
  /// run; the connection that follows shows it.
  private RuntimeException failed(LiveContainer container, GuestException failure) {
    return switch (failure.kind()) {
      case TIMEOUT, DISCONNECTED, HOSTILE -> failure;
      case NOT_FOUND, EXISTS, INVALID, WRONG_STATE, FAILED -> {
        end(container, failure.problem().why());
        yield CallRefusal.unknown(
            "failed to start container \"%s\": %s".formatted(container.id(), failure.getMessage()));
      }
    };
  }

  private void end(LiveContainer container, String message) {
    reports.end(
        container,
        new ContainerEnd(
            found.inventory().now(), ContainerEnd.START_FAILED, "StartError", message));
  }
}
