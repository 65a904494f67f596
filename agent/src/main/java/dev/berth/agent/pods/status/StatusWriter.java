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
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the API the status of one pod: only changes, the newest one first, again and again until
/// the server takes it; and once more when others have changed what is the agent's to say.
///
/// A thread exists only while there is something to tell.
public final class StatusWriter {
  private static final Logger log = LoggerFactory.getLogger(StatusWriter.class);

  /// So long others may be wrong about a pod; an argument with them is not led faster.
  private static final Duration CORRECTION = Duration.ofSeconds(1);

  /// So long the network of a pod that does not run yet may be unknown: most pods run by then, and
  /// one write tells both.
  private static final Duration MOMENT = Duration.ofMillis(500);

  private static final Set<String> ENDED = Set.of(Phases.SUCCEEDED, Phases.FAILED);

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

  /// Whether what is wanted is told in a moment only, unless more comes.
  private boolean held;

  /// Of the newest answer.
  private String version = "";

  /// Whether there was anything to tell; before that all that the API says is right.
  private boolean said;

  /// Whether the last answer said something else than was told.
  private boolean contested;

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
      said = true;
      if (over || StatusDiff.patch(wanted == null ? told : wanted, status).isEmpty()) {
        return;
      }
      wanted = status;
      boolean canWait = canWait(told, status);
      if (!busy && canWait) {
        busy = true;
        held = true;
        delays.after(MOMENT, this::release);
      } else if (!busy || (held && !canWait)) {
        busy = true;
        held = false;
        startWriting();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether nothing has become of the containers of a pod that does not run yet.
  private static boolean canWait(JsonNode told, JsonNode status) {
    return Stream.of(told, status)
            .allMatch(one -> one.path("phase").asText().equals(Phases.PENDING))
        && Stream.of("initContainerStatuses", "containerStatuses")
            .allMatch(field -> told.path(field).equals(status.path(field)));
  }

  private void release() {
    lock.lock();
    try {
      if (held) {
        held = false;
        startWriting();
      }
    } finally {
      lock.unlock();
    }
  }

  /// What the API has now; returns at once. Controllers say of the pods of a node that seems to be
  /// away that they are not ready, and never say otherwise when it is back.
  public void seen(JsonNode status, String resourceVersion) {
    lock.lock();
    try {
      if (over || wanted != null || isOlder(resourceVersion, version)) {
        return;
      }
      boolean hasEnded = ENDED.contains(status.path("phase").asText());
      if (!said) {
        told = status;
      } else if (!hasEnded && told instanceof ObjectNode last && !Agreement.holds(status, told)) {
        wanted = last;
        told = status;
        if (!busy) {
          busy = true;
          delays.after(CORRECTION, this::startWriting);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// Servers count versions up.
  private static boolean isOlder(String one, String other) {
    return one.length() < other.length()
        || (one.length() == other.length() && one.compareTo(other) < 0);
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
      written(status, pods.patch(key, Patch.strategic(patch), "status"));
      return true;
    } catch (ApiException e) {
      if (isGone(e)) {
        gone(status);
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

  /// Whether the pod of this UID is no more; a conflict may be one of writers, too.
  private boolean isGone(ApiException refusal) {
    if (uid.isEmpty() || !(refusal.isNotFound() || refusal.isConflict())) {
      return false;
    }
    try {
      return refusal.isNotFound()
          || pods.find(key)
              .filter(pod -> pod.path("metadata").path("uid").asText().equals(uid))
              .isEmpty();
    } catch (ClientException _) {
      return false;
    }
  }

  private void failed(ClientException failure) {
    boolean unshown = uid.isEmpty() && failure instanceof ApiException e && e.isNotFound();
    if (failures == 0 && !unshown) {
      log.warn("status not written, will retry pod={}: {}", key, failure.getMessage());
    }
  }

  /// What others wrote meanwhile is corrected at once, but only once.
  private void written(ObjectNode status, ObjectNode answer) {
    lock.lock();
    try {
      version = answer.path("metadata").path("resourceVersion").asText();
      contested = !contested && !Agreement.holds(answer.path("status"), status);
      told = contested ? answer.path("status") : status;
      failures = 0;
      if (!contested && status.equals(wanted)) {
        wanted = null;
      }
    } finally {
      lock.unlock();
    }
  }

  private void gone(ObjectNode status) {
    lock.lock();
    try {
      told = status;
      over = true;
      wanted = null;
    } finally {
      lock.unlock();
    }
  }
}
