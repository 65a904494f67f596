package dev.berth.scheduler.queue;

import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalCause;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/// A pod that waits, with what came of earlier attempts.
///
/// Belongs to its queue, which changes it.
public final class QueuedPod {
  private final Instant since;
  private PodInfo pod;
  private int attempts;
  private int failedBinds;
  private Instant lastAttempt;
  private Set<RefusalCause> causes = EnumSet.noneOf(RefusalCause.class);
  private String told;

  QueuedPod(PodInfo pod, Instant since, String told) {
    this.pod = pod;
    this.since = since;
    this.lastAttempt = since;
    this.told = told;
  }

  public PodInfo pod() {
    return pod;
  }

  /// When it was first seen waiting.
  public Instant since() {
    return since;
  }

  /// How often a place has been looked for.
  public int attempts() {
    return attempts;
  }

  /// Notes what the pod's condition is to say; false when it says so already.
  public boolean tell(String message) {
    boolean isNew = !message.equals(told);
    told = message;
    return isNew;
  }

  /// What stood against the nodes in the last attempt, if that found none.
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
