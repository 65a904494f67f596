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

/// Writes the status of one pod to the API server: only changes, newest first, with retries until
/// the server accepts it; and corrections when others changed the agent's fields.
///
/// A thread exists only while there is something to write. A status that the server refuses is sent
/// again with growing back-off; the pod's deletion does not wait for it ([#isEndDelayed]).
public final class StatusWriter {
  private static final Logger log = LoggerFactory.getLogger(StatusWriter.class);

  /// Receives results of writes; must not block.
  public interface Listener {
    /// Nothing is left to write, or the pod's deletion no longer waits for it.
    void settled();

    /// The server refuses the status. Called once until it accepts a status again.
    void refused(String why);
  }

  /// The longest interval between two attempts to write a status that the server refuses.
  public static final Duration LONGEST_REFUSED = Duration.ofMinutes(2);

  /// A refusal seldom ends by itself, so the first pause is longer than after an outage.
  private static final Duration FIRST_REFUSED = Duration.ofSeconds(1);

  /// The pod's deletion waits for at most this many failed writes of its last status.
  private static final int FAILURES_BEFORE_END = 5;

  /// Minimum interval between corrective status writes, so that the agent and another writer do not
  /// overwrite each other in a loop.
  private static final Duration CORRECTION = Duration.ofSeconds(1);

  /// A status that only adds a sandbox waits this long: most pods run by then, and one write covers
  /// both.
  private static final Duration MOMENT = Duration.ofMillis(500);

  private final ResourceClient<ObjectNode> pods;
  private final ObjectKey key;
  private final String uid;
  private final DelayedActions delays;
  private final Backoff backoff;
  private final Backoff refusedBackoff;
  private final Listener listener;
  private final ReentrantLock lock = new ReentrantLock();

  // The fields below are guarded by the lock.
  private JsonNode apiStatus;
  private @Nullable ObjectNode wanted;
  private boolean busy;
  private boolean over;

  /// Whether the next write waits for [#MOMENT].
  private boolean held;

  /// The resource version of the newest answer.
  private String version = "";

  /// Whether the agent has published a status; before that the API's status counts as correct.
  private boolean said;

  /// Whether the last answer differed from the written status.
  private boolean contested;

  /// Failed attempts in a row. Confined to the writing thread, of which there is at most one.
  private int failures;

  /// Attempts in a row that the server refused in a way that a retry does not change.
  private int refusals;

  /// Whether the pod may be deleted although its last status is not written.
  private boolean hopeless;

  /// Creates a writer; writes nothing yet.
  ///
  /// @param uid of the pod in the API; empty for whatever pod has the name
  /// @param apiStatus the status in the API
  public StatusWriter(
      ResourceClient<ObjectNode> pods,
      ObjectKey key,
      String uid,
      JsonNode apiStatus,
      DelayedActions delays,
      Backoff backoff,
      Listener listener) {
    this.pods = pods;
    this.key = key;
    this.uid = uid;
    this.apiStatus = apiStatus.deepCopy();
    this.delays = delays;
    this.backoff = backoff;
    this.refusedBackoff = new Backoff(FIRST_REFUSED, LONGEST_REFUSED, backoff.random());
    this.listener = listener;
  }

  /// The newest published status.
  public JsonNode newest() {
    lock.lock();
    try {
      return wanted == null ? apiStatus : wanted;
    } finally {
      lock.unlock();
    }
  }

  /// Publishes a status; returns at once.
  public void publish(ObjectNode status) {
    lock.lock();
    try {
      said = true;
      if (over || StatusDiff.patch(wanted == null ? apiStatus : wanted, status).isEmpty()) {
        return;
      }
      wanted = status;
      boolean canWait = canWait(apiStatus, status);
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

  /// Whether the change only concerns a pod whose containers have not started.
  private static boolean canWait(JsonNode apiStatus, JsonNode status) {
    return Stream.of(apiStatus, status)
            .allMatch(one -> one.path("phase").asText().equals(PodPhase.PENDING))
        && Stream.of("initContainerStatuses", "containerStatuses")
            .allMatch(field -> apiStatus.path(field).equals(status.path(field)));
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

  /// Takes in the API's status; returns at once. The node controller marks pods of an unreachable
  /// node as not ready and never takes that back, so the agent corrects it.
  public void seen(JsonNode status, String resourceVersion) {
    lock.lock();
    try {
      if (over || wanted != null || isOlder(resourceVersion, version)) {
        return;
      }
      boolean hasEnded = PodPhase.isFinished(status.path("phase").asText());
      if (!said) {
        apiStatus = status;
      } else if (!hasEnded
          && apiStatus instanceof ObjectNode last
          && !StatusComparison.holds(status, apiStatus)) {
        wanted = last;
        apiStatus = status;
        if (!busy) {
          busy = true;
          delays.after(CORRECTION, this::startWriting);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// Resource versions of Kubernetes servers grow.
  private static boolean isOlder(String one, String other) {
    return one.length() < other.length()
        || (one.length() == other.length() && one.compareTo(other) < 0);
  }

  /// The API lost the status: the agent writes all of it again.
  public void forget() {
    lock.lock();
    try {
      if (wanted == null && apiStatus instanceof ObjectNode last) {
        wanted = last;
      }
      apiStatus = JsonNodeFactory.instance.objectNode();
    } finally {
      lock.unlock();
    }
    again();
  }

  /// Whether the API has the newest status, or no longer the pod.
  public boolean isSettled() {
    lock.lock();
    try {
      return wanted == null || over;
    } finally {
      lock.unlock();
    }
  }

  /// Whether the pod's deletion waits for its status. It does not wait for a status that the server
  /// refuses or repeatedly fails to accept.
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
        before = apiStatus;
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

  /// Delays the next attempt: a server that is away is not asked for each published status.
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
      // The top of the thread: a failed write is tried again.
      log.error("status not written, retrying pod={}", key, e);
      return false;
    }
  }

  /// Whether the API no longer has the pod of this UID. For a pod of the same name with another UID
  /// some servers answer a conflict, others invalid (`metadata.uid` is immutable). A conflict may
  /// also come from concurrent writers.
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

  /// Counts refusals. Conflicts and an overloaded server do not refuse the status itself.
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
      log.warn(
          "status refused, retrying with back-off pod={} reason={}", key, refusal.getMessage());
      listener.refused(String.valueOf(refusal.getMessage()));
    }
  }

  private void failed(ClientException failure) {
    if (failures == 0) {
      log.warn("status not written, retrying pod={} reason={}", key, failure.getMessage());
    }
  }

  /// Corrects a status that others changed in between, immediately but only once.
  private void written(ObjectNode status, ObjectNode answer) {
    lock.lock();
    try {
      version = answer.path("metadata").path("resourceVersion").asText();
      contested = !contested && !StatusComparison.holds(answer.path("status"), status);
      apiStatus = contested ? answer.path("status") : status;
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
      apiStatus = status;
      over = true;
      wanted = null;
    } finally {
      lock.unlock();
    }
  }
}
