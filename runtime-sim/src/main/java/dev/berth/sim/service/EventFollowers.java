package dev.berth.sim.service;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Clients that follow what happens; one that does not keep up is cut off and must list again.
public final class EventFollowers<E> {
  private static final int MOST_WAITING = 10_000;

  private final Consumer<Consumer<E>> listen;
  private final Consumer<Consumer<E>> unlisten;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

  /// @param listen adds a listener to what is followed, `unlisten` removes it
  public EventFollowers(Consumer<Consumer<E>> listen, Consumer<Consumer<E>> unlisten) {
    this.listen = listen;
    this.unlisten = unlisten;
  }

  public void follow(StreamObserver<E> observer, Predicate<E> wanted) {
    Follower follower = new Follower((ServerCallStreamObserver<E>) observer, wanted);
    Thread sender = Thread.ofVirtual().name("sim-events").unstarted(follower::send);
    follower.client.setOnReadyHandler(() -> LockSupport.unpark(sender));
    follower.client.setOnCancelHandler(
        () -> {
          follower.end(Optional.empty());
          LockSupport.unpark(sender);
        });
    followers.add(follower);
    listen.accept(follower);
    sender.start();
  }

  /// Ends all streams, because the service has none any more.
  public void end() {
    followers.forEach(
        follower ->
            follower.end(
                Optional.of(Status.UNAVAILABLE.withDescription("events were turned off"))));
  }

  private sealed interface Item<E> {}

  private record Event<E>(E event) implements Item<E> {}

  private record End<E>(Optional<Status> status) implements Item<E> {}

  private final class Follower implements Consumer<E> {
    private final ServerCallStreamObserver<E> client;
    private final Predicate<E> wanted;
    private final LinkedBlockingQueue<Item<E>> waiting = new LinkedBlockingQueue<>();

    private Follower(ServerCallStreamObserver<E> client, Predicate<E> wanted) {
      this.client = client;
      this.wanted = wanted;
    }

    /// Called under the machine's lock, so that events stay in order.
    @Override
    public void accept(E event) {
      if (!wanted.test(event)) {
        return;
      }
      if (waiting.size() < MOST_WAITING) {
        waiting.add(new Event<>(event));
      } else {
        end(Optional.of(Status.RESOURCE_EXHAUSTED.withDescription("events are read too slowly")));
      }
    }

    private void end(Optional<Status> status) {
      if (followers.remove(this)) {
        unlisten.accept(this);
        waiting.add(new End<>(status));
      }
    }

    private void send() {
      try {
        while (true) {
          switch (waiting.take()) {
            case Event<E>(var event) -> {
              while (!client.isReady() && !client.isCancelled()) {
                LockSupport.park();
              }
              client.onNext(event);
            }
            case End<E>(var status) -> {
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
