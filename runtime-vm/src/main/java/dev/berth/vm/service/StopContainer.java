package dev.berth.vm.service;

import dev.berth.api.Problem;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.StopContainerRequest;
import dev.berth.cri.v1.StopContainerResponse;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.images.VmImages;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.rules.StopSignals;
import dev.berth.vm.pods.state.ContainerRecord;
import io.grpc.Context;
import io.grpc.Status;
import java.time.Duration;

/// `StopContainer`: sends the stop signal, waits for the grace period, and kills. It takes no lock
/// of the sandbox, because a grace period may be long.
final class StopContainer {
  /// How long a guest may take to report the end of a program that it killed.
  private static final Duration KILL_LIMIT = Duration.ofSeconds(20);

  private final FoundPods found;
  private final VmImages images;

  StopContainer(FoundPods found, VmImages images) {
    this.found = found;
    this.images = images;
  }

  StopContainerResponse call(StopContainerRequest request) {
    LiveContainer container = found.container(request.getContainerId());
    Thread waiting = Thread.currentThread();
    Context.CancellationListener giveUp = _ -> waiting.interrupt();
    Context.current().addListener(giveUp, Runnable::run);
    try {
      stop(container, Duration.ofSeconds(Math.max(0, request.getTimeout())));
    } catch (InterruptedException _) {
      throw new CallRefusal(Status.Code.CANCELLED, "context canceled");
    } finally {
      Context.current().removeListener(giveUp);
    }
    return StopContainerResponse.getDefaultInstance();
  }

  /// A container that does not run is stopped.
  private void stop(LiveContainer container, Duration grace) throws InterruptedException {
    if (!container.record().isRunning()) {
      return;
    }
    if (!grace.isZero()) {
      signal(container, signal(container.record()));
      if (container.awaitEnd(grace)) {
        return;
      }
    }
    signal(container, StopSignals.KILL);
    if (!container.awaitEnd(KILL_LIMIT)) {
      throw CallRefusal.unknown(
          new Problem(
                  "container %s was not stopped".formatted(container.id()),
                  "its guest did not report within %d s that it was killed"
                      .formatted(KILL_LIMIT.toSeconds()),
                  "Stop the sandbox, which ends the machine")
              .toString());
    }
  }

  private int signal(ContainerRecord record) {
    String ofImage =
        images.find(record.image().id()).map(image -> image.defaults().stopSignal()).orElse("");
    return StopSignals.of(record.config().getStopSignal(), ofImage);
  }

  private static void signal(LiveContainer container, int number) {
    try {
      container.pod().guest().map(PodGuest::agent).ifPresent(a -> a.signal(container.id(), number));
    } catch (GuestException e) {
      // A machine that just ended took the container with it.
      if (container.record().isRunning()) {
        throw e;
      }
    }
  }
}
