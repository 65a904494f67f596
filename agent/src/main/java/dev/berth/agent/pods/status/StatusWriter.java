package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPhase;
import dev.berth.client.ApiException;
import dev.berth.client.Backoff;
import dev.berth.client.ClientException;
import dev.berth.client.DelayedActions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceClient;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the API the status of one pod: only changes, the newest one first, again and again until
/// the server takes it; and once more when others have changed what is the agent's to say.
///
/// A thread exists only while there is something to tell. A status that the server refuses is sent
/// again less and less often; the end of the pod does not wait for it ([#isEndDelayed]).
public final class StatusWriter {
  private static final Logger log = LoggerFactory.getLogger(StatusWriter.class);

  /// Hears what became of a status; must not block.
  public interface Listener {
    /// Nothing is left to tell, or the end of the pod need not wait for it any more.
    void settled();

    /// The server does not accept the status; called once until it accepts one again.
    void refused(String why);
  }

  /// The longest interval between two attempts to write a status that the server refuses.
  public static final Duration LONGEST_REFUSED = Duration.ofMinutes(2);

  private static final Duration FIRST_REFUSED = Duration.ofSeconds(1);

  /// The deletion of a pod waits for this many failed writes of its last status.
  private static final int FAILURES_BEFORE_END = 5;

  /// So long others may be wrong about a pod; an argument with them is not led faster.
  private static final Duration CORRECTION = Duration.ofSeconds(1);

  /// So long the network of a pod that does not run yet may be unknown: most pods run by then, and
  /// one write tells both.
  private static final Duration MOMENT = Duration.ofMillis(500);

  private final ResourceClient<ObjectNode> pods;
  private final ObjectKey key;
  private final String uid;
  private final DelayedActions delays;
  private final Backoff backoff;
  private final Backoff refusedBackoff;
  private final Listener listener;
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

  /// How many attempts in a row failed; of the thread that writes, of which there is one at most.
  private int failures;

  /// How many of them the server refused in a way that the next attempt does not change.
  private int refusals;

  /// Whether the pod can be deleted although its last status is not written.
  private boolean hopeless;

  /// Writes nothing yet.
  ///
  /// @param uid of the pod in the API; empty for one of its name, whenever there is one
  /// @param told the status that the API has
  public StatusWriter(
      ResourceClient<ObjectNode> pods,
      ObjectKey key,
      String uid,
      JsonNode told,
      DelayedActions delays,
      Backoff backoff,
      Listener listener) {
    this.pods = pods;
    this.key = key;
    this.uid = uid;
    this.told = told.deepCopy();
    this.delays = delays;
    this.backoff = backoff;
    this.refusedBackoff = new Backoff(FIRST_REFUSED, LONGEST_REFUSED, backoff.random());
    this.listener = listener;
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
            .allMatch(one -> one.path("phase").asText().equals(PodPhase.PENDING))
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
      boolean hasEnded = PodPhase.isFinished(status.path("phase").asText());
      if (!said) {
        told = status;
      } else if (!hasEnded
          && told instanceof ObjectNode last
          && !StatusComparison.holds(status, told)) {
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

  /// Whether the deletion of the pod waits for its status: what the server refuses, or fails to
  /// take again and again, is not waited for.
  public boolean isEndDelayed() {
    lock.lock();
    try {
      return wanted != null && !over && !hopeless;
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
    listener.settled();
  }

  /// Until then what is published only waits: a server that is away is not asked each time.
  private void later() {
    Duration wait = refusals > 0 ? refusedBackoff.after(refusals - 1) : backoff.after(failures);
    failures++;
    boolean isGivenUp = refusals > 0 || failures >= FAILURES_BEFORE_END;
    lock.lock();
    try {
      hopeless = isGivenUp;
    } finally {
      lock.unlock();
    }
    if (isGivenUp) {
      listener.settled();
    }
    delays.after(wait, this::startWriting);
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
      written(status, pods.patch(key, ObjectPatch.strategic(patch), "status"));
      return true;
    } catch (ApiException e) {
      if (isGone(e)) {
        gone(status);
        return true;
      }
      refused(e);
      return false;
    } catch (ClientException e) {
      refusals = 0;
      failed(e);
      return false;
    } catch (RuntimeException e) {
      // The top of the thread: what cannot be written now is tried again.
      log.error("status not written, will retry pod={}", key, e);
      return false;
    }
  }

  /// Whether the pod of this UID is no more. A pod of the same name with another UID is answered
  /// with a conflict by some servers and as invalid (`metadata.uid` is immutable) by others; a
  /// conflict may be one of writers, too.
  private boolean isGone(ApiException refusal) {
    if (uid.isEmpty() || refusal.isPassing()) {
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

  /// A conflict of writers, and a server without time, are no refusal of the status itself.
  private void refused(ApiException refusal) {
    boolean isUnshown = uid.isEmpty() && refusal.isNotFound();
    if (refusal.isPassing() || refusal.isConflict() || isUnshown) {
      refusals = 0;
      if (!isUnshown) {
        failed(refusal);
      }
      return;
    }
    if (refusals++ == 0) {
      log.warn("status refused, retried with back-off pod={}: {}", key, refusal.getMessage());
      listener.refused(String.valueOf(refusal.getMessage()));
    }
  }

  private void failed(ClientException failure) {
    if (failures == 0) {
      log.warn("status not written, will retry pod={}: {}", key, failure.getMessage());
    }
  }

  /// What others wrote meanwhile is corrected at once, but only once.
  private void written(ObjectNode status, ObjectNode answer) {
    lock.lock();
    try {
      version = answer.path("metadata").path("resourceVersion").asText();
      contested = !contested && !StatusComparison.holds(answer.path("status"), status);
      told = contested ? answer.path("status") : status;
      failures = 0;
      refusals = 0;
      hopeless = false;
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
