package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiException;
import dev.berth.client.Backoff;
import dev.berth.client.ClientException;
import dev.berth.client.Delays;
import dev.berth.client.ObjectKey;
import dev.berth.client.Patch;
import dev.berth.client.Resources;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the API the status of one pod: only changes, the newest one first, again and again until
/// the server takes it.
///
/// A thread exists only while there is something to tell.
public final class StatusWriter {
  private static final Logger log = LoggerFactory.getLogger(StatusWriter.class);

  private final Resources<ObjectNode> pods;
  private final ObjectKey key;
  private final String uid;
  private final Delays delays;
  private final Backoff backoff;
  private final Runnable settled;
  private final ReentrantLock lock = new ReentrantLock();

  // All below are guarded by the lock.
  private JsonNode told;
  private @Nullable ObjectNode wanted;
  private boolean busy;
  private boolean over;

  /// Of the thread that writes, of which there is one at most.
  private int failures;

  /// Writes nothing yet.
  ///
  /// @param uid of the pod in the API; empty for one of its name, whenever there is one
  /// @param told the status that the API has
  /// @param settled called when nothing is left to tell; must not block
  public StatusWriter(
      Resources<ObjectNode> pods,
      ObjectKey key,
      String uid,
      JsonNode told,
      Delays delays,
      Backoff backoff,
      Runnable settled) {
    this.pods = pods;
    this.key = key;
    this.uid = uid;
    this.told = told.deepCopy();
    this.delays = delays;
    this.backoff = backoff;
    this.settled = settled;
  }

  /// The status that the API was told last, or is about to be.
  public JsonNode newest() {
    lock.lock();
    try {
      return wanted == null ? told : wanted;
    } finally {
      lock.unlock();
    }
  }

  /// Returns at once.
  public void publish(ObjectNode status) {
    lock.lock();
    try {
      if (over || StatusDiff.patch(wanted == null ? told : wanted, status).isEmpty()) {
        return;
      }
      wanted = status;
      if (!busy) {
        busy = true;
        startWriting();
      }
    } finally {
      lock.unlock();
    }
  }

  /// What the API was told is lost: all of it is told again.
  public void forget() {
    lock.lock();
    try {
      if (wanted == null && told instanceof ObjectNode last) {
        wanted = last;
      }
      told = JsonNodeFactory.instance.objectNode();
    } finally {
      lock.unlock();
    }
    again();
  }

  /// Whether the API has the newest status, or the pod is gone from it.
  public boolean isSettled() {
    lock.lock();
    try {
      return wanted == null || over;
    } finally {
      lock.unlock();
    }
  }

  private void write() {
    while (true) {
      ObjectNode status;
      JsonNode before;
      lock.lock();
      try {
        if (wanted == null || over) {
          busy = false;
          break;
        }
        status = wanted;
        before = told;
      } finally {
        lock.unlock();
      }
      if (!attempt(before, status)) {
        later();
        return;
      }
    }
    settled.run();
  }

  /// Until then what is published only waits: a server that is away is not asked each time.
  private void later() {
    delays.after(backoff.after(failures++), this::startWriting);
  }

  private void again() {
    lock.lock();
    try {
      if (!busy && wanted != null && !over) {
        busy = true;
        startWriting();
      }
    } finally {
      lock.unlock();
    }
  }

  private void startWriting() {
    Thread.ofVirtual().name("status-" + key).start(this::write);
  }

  private boolean attempt(JsonNode before, ObjectNode status) {
    try {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      if (!uid.isEmpty()) {
        patch.putObject("metadata").put("uid", uid);
      }
      patch.set("status", StatusDiff.patch(before, status));
      pods.patch(key, Patch.strategic(patch), "status");
      written(status, false);
      return true;
    } catch (ApiException e) {
      if (!uid.isEmpty() && (e.isNotFound() || e.isConflict())) {
        // The pod, or the one of this UID, is gone.
        written(status, true);
        return true;
      }
      failed(e);
      return false;
    } catch (ClientException e) {
      failed(e);
      return false;
    } catch (RuntimeException e) {
      // The top of the thread: what cannot be written now is tried again.
      log.error("status not written, will retry pod={}", key, e);
      return false;
    }
  }

  private void failed(ClientException failure) {
    boolean unshown = uid.isEmpty() && failure instanceof ApiException e && e.isNotFound();
    if (failures == 0 && !unshown) {
      log.warn("status not written, will retry pod={}: {}", key, failure.getMessage());
    }
  }

  private void written(ObjectNode status, boolean gone) {
    lock.lock();
    try {
      told = status;
      failures = 0;
      over |= gone;
      if (gone || status.equals(wanted)) {
        wanted = null;
      }
    } finally {
      lock.unlock();
    }
  }
}
