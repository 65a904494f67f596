package dev.berth.sim.service;

import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.sim.model.EventHub;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Clients that follow what happens; one that does not keep up is cut off and must list anew.
public final class EventStream {
  private static final int MOST_WAITING = 10_000;

  private final EventHub hub;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

  public EventStream(EventHub hub) {
    this.hub = hub;
  }

  void follow(StreamObserver<ContainerEventResponse> observer) {
    Follower follower = new Follower((ServerCallStreamObserver<ContainerEventResponse>) observer);
    Thread sender = Thread.ofVirtual().name("sim-events").unstarted(follower::send);
    follower.client.setOnReadyHandler(() -> LockSupport.unpark(sender));
    follower.client.setOnCancelHandler(
        () -> {
          follower.end(Optional.empty());
          LockSupport.unpark(sender);
        });
    followers.add(follower);
    hub.add(follower);
    sender.start();
  }

  /// Ends all streams, because the service has none any more.
  public void end() {
    followers.forEach(
        follower ->
            follower.end(
                Optional.of(Status.UNAVAILABLE.withDescription("events were turned off"))));
  }

  private sealed interface Item {}

  private record Event(ContainerEventResponse event) implements Item {}

  private record End(Optional<Status> status) implements Item {}

  private final class Follower implements Consumer<ContainerEventResponse> {
    private final ServerCallStreamObserver<ContainerEventResponse> client;
    private final LinkedBlockingQueue<Item> waiting = new LinkedBlockingQueue<>();

    private Follower(ServerCallStreamObserver<ContainerEventResponse> client) {
      this.client = client;
    }

    /// Called under the machine's lock, so that events stay in order.
    @Override
    public void accept(ContainerEventResponse event) {
      if (waiting.size() < MOST_WAITING) {
        waiting.add(new Event(event));
      } else {
        end(Optional.of(Status.RESOURCE_EXHAUSTED.withDescription("events are read too slowly")));
      }
    }

    private void end(Optional<Status> status) {
      if (followers.remove(this)) {
        hub.remove(this);
        waiting.add(new End(status));
      }
    }

    private void send() {
      try {
        while (true) {
          switch (waiting.take()) {
            case Event(var event) -> {
              while (!client.isReady() && !client.isCancelled()) {
                LockSupport.park();
              }
              client.onNext(event);
            }
            case End(var status) -> {
              status.ifPresent(why -> client.onError(why.asRuntimeException()));
              return;
            }
          }
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (IllegalStateException _) {
        // The call ended meanwhile.
        end(Optional.empty());
      }
    }
  }
}
