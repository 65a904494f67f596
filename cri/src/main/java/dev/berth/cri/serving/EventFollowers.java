package dev.berth.cri.serving;

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

/// The clients of an event stream. A client that does not keep up is disconnected, and must list
/// again. Without that bound one slow client would fill the heap, because events cannot wait: their
/// publisher holds a lock.
public final class EventFollowers<E> {
  /// Bound of a follower's queue: how far a client may fall behind.
  private static final int MOST_WAITING = 10_000;

  private final Consumer<Consumer<E>> listen;

  private final Consumer<Consumer<E>> unlisten;
  private final Set<EventSubscriber> followers = ConcurrentHashMap.newKeySet();

  /// Makes the followers of one source of events.
  ///
  /// @param listen adds a listener to the source; `unlisten` removes it
  public EventFollowers(Consumer<Consumer<E>> listen, Consumer<Consumer<E>> unlisten) {
    this.listen = listen;
    this.unlisten = unlisten;
  }

  public void follow(StreamObserver<E> observer, Predicate<E> filter) {
    // gRPC accepts handlers only until this method returns.
    EventSubscriber follower = new EventSubscriber((ServerCallStreamObserver<E>) observer, filter);
    Thread sender = Thread.ofVirtual().name("cri-events").unstarted(follower::send);
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

  /// Ends all streams with UNAVAILABLE.
  public void end() {
    followers.forEach(
        follower ->
            follower.end(
                Optional.of(Status.UNAVAILABLE.withDescription("events were turned off"))));
  }

  private sealed interface FollowedItem<E> {}

  private record FollowedEvent<E>(E event) implements FollowedItem<E> {}

  private record FollowEnd<E>(Optional<Status> status) implements FollowedItem<E> {}

  private final class EventSubscriber implements Consumer<E> {
    private final ServerCallStreamObserver<E> client;
    private final Predicate<E> filter;
    private final LinkedBlockingQueue<FollowedItem<E>> waiting = new LinkedBlockingQueue<>();

    private EventSubscriber(ServerCallStreamObserver<E> client, Predicate<E> filter) {
      this.client = client;
      this.filter = filter;
    }

    /// Called under the lock of the publisher, which keeps events in order. It must not block, so a
    /// thread of the follower sends.
    @Override
    public void accept(E event) {
      if (!filter.test(event)) {
        return;
      }
      if (waiting.size() < MOST_WAITING) {
        waiting.add(new FollowedEvent<>(event));
      } else {
        end(Optional.of(Status.RESOURCE_EXHAUSTED.withDescription("events are read too slowly")));
      }
    }

    private void end(Optional<Status> status) {
      // Only one of several ends wins the removal, so that the stream ends once.
      if (followers.remove(this)) {
        unlisten.accept(this);
        waiting.add(new FollowEnd<>(status));
      }
    }

    private void send() {
      try {
        while (true) {
          switch (waiting.take()) {
            case FollowedEvent<E>(var event) -> {
              // gRPC would buffer without a bound; the queue of this class has one.
              while (!client.isReady() && !client.isCancelled()) {
                LockSupport.park();
              }
              client.onNext(event);
            }
            case FollowEnd<E>(var status) -> {
              status.ifPresent(why -> client.onError(why.asRuntimeException()));
              return;
            }
          }
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (IllegalStateException _) {
        // The call has ended between the check and the write.
        end(Optional.empty());
      }
    }
  }
}
