package dev.berth.scheduler.queue;

import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/// A waiting pod with the results of earlier attempts.
///
/// Confined to its queue, whose lock guards it.
public final class QueuedPod {
  // Kept over updates of the pod: the SLI metric measures from the first sight.
  private final Instant since;
  private PodInfo pod;
  private int attempts;
  // In a row; a refusal sets it to zero, so that only repeated errors of the server back off long.
  private int failedBinds;
  private Instant lastAttempt;
  private Set<RefusalCause> causes = EnumSet.noneOf(RefusalCause.class);
  // Starts with the message of the condition that an earlier leader wrote.
  private String lastMessage;

  QueuedPod(PodInfo pod, Instant since, String lastMessage) {
    this.pod = pod;
    this.since = since;
    this.lastAttempt = since;
    this.lastMessage = lastMessage;
  }

  public PodInfo pod() {
    return pod;
  }

  /// When it was first queued.
  public Instant since() {
    return since;
  }

  /// The number of scheduling attempts.
  public int attempts() {
    return attempts;
  }

  /// Records the message of the pod's condition; returns false when it is unchanged.
  public boolean updateMessage(String message) {
    boolean isNew = !message.equals(lastMessage);
    lastMessage = message;
    return isNew;
  }

  /// The causes of refusals in the last attempt, if it found no node.
  public Set<RefusalCause> causes() {
    return causes;
  }

  boolean isRefused() {
    return !causes.isEmpty();
  }

  Instant lastAttempt() {
    return lastAttempt;
  }

  int failedBinds() {
    return failedBinds;
  }

  void become(PodInfo next) {
    pod = next;
  }

  void tried(Instant now) {
    attempts++;
    lastAttempt = now;
    causes = EnumSet.noneOf(RefusalCause.class);
  }

  void waitsFor(Set<RefusalCause> what) {
    causes = what;
    failedBinds = 0;
  }

  void bindFailed(Instant now) {
    failedBinds++;
    lastAttempt = now;
  }
}
