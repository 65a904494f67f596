package dev.berth.server.resources.objects;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreSnapshot;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows all objects of one kind for a component of the server.
///
/// The initial state is delivered before the constructor returns; changes follow on a thread of
/// their own.
///
/// It is for components inside of the server; controllers use the informer of the client, over the
/// API. The listener is called by one thread at a time, in the order of revisions, and outside of
/// any lock. A listener that blocks delays only its own informer. An update may be delivered again
/// after a relist.
public final class StoreInformer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StoreInformer.class);

  /// Time of one blocking wait for changes; the loop then waits again.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ObjectStore store;
  private final ResourceKind kind;
  private final Listener listener;
  private final Thread thread;

  /// The objects that the listener has, by key. Used by the constructor and then only by the
  /// informer's thread.
  private final Map<String, StoredObject> delivered = new HashMap<>();

  /// Receives the changes.
  public interface Listener {
    void put(StoredObject object);

    void remove(StoredObject last);
  }

  public StoreInformer(ObjectStore store, ResourceKind kind, Listener listener) {
    this.store = store;
    this.kind = kind;
    this.listener = listener;
    long revision = deliverAll();
    thread = Thread.ofVirtual().name("follow-" + kind.bucket()).start(() -> follow(revision));
  }

  private long deliverAll() {
    StoreSnapshot<StoredObject> snapshot = store.raw().snapshot(kind.bucket());
    Map<String, StoredObject> gone = new HashMap<>(delivered);
    for (StoreEntry<StoredObject> entry : snapshot) {
      put(entry);
      gone.remove(entry.key());
    }
    delivered.keySet().removeAll(gone.keySet());
    // Deletions that happened while the watch had no history are found by comparison.
    gone.values().forEach(listener::remove);
    return snapshot.revision();
  }

  private void put(StoreEntry<StoredObject> entry) {
    if (!entry.value().isReadable()) {
      log.error("cannot read the value of an object, the object is ignored key={}", entry.key());
      return;
    }
    delivered.put(entry.key(), entry.value());
    listener.put(entry.value());
  }

  private void follow(long from) {
    long revision = from;
    while (true) {
      try (StoreWatch<StoredObject> watch = store.raw().watch(kind.bucket(), revision)) {
        while (true) {
          for (StoreEvent<StoredObject> event : watch.next(PATIENCE)) {
            deliver(event);
          }
        }
      } catch (RevisionCompactedException e) {
        // The watch lost its history, for example while etcd was unreachable: relist and deliver
        // missed deletions.
        revision = deliverAll();
      } catch (StoreUnavailableException | InterruptedException e) {
        return;
      }
    }
  }

  private void deliver(StoreEvent<StoredObject> event) {
    StoreEntry<StoredObject> current = event.current();
    StoreEntry<StoredObject> previous = event.previous();
    if (current != null) {
      put(current);
    } else if (previous != null) {
      delivered.remove(event.key());
      listener.remove(previous.value());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
