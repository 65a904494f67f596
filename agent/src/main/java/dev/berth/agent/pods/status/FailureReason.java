package dev.berth.agent.pods.status;

/// Every reason for which the agent itself fails a pod, with the text of `status.reason`. There is
/// no other way to fail a pod, so that a test can put a ReplicaSet behind each of them.
public enum FailureReason {
  NODE_AFFINITY("NodeAffinity", Origin.ADMISSION),
  TAINT_TOLERATION("TaintToleration", Origin.ADMISSION),
  NODE_PORTS("NodePorts", Origin.ADMISSION),
  OUT_OF_PODS("OutOfpods", Origin.ADMISSION),
  OUT_OF_CPU("OutOfcpu", Origin.ADMISSION),
  OUT_OF_MEMORY("OutOfmemory", Origin.ADMISSION),
  OUT_OF_STORAGE("OutOfephemeral-storage", Origin.ADMISSION),
  SYSTEM_SELECTOR("PodOSSelectorNodeLabelDoesNotMatch", Origin.ADMISSION),
  SYSTEM_NAME("PodOSNotSupported", Origin.ADMISSION),
  PLATFORM("PodPlatformNotSupported", Origin.BERTH),
  SYSCTL("SysctlForbidden", Origin.ADMISSION),
  APP_ARMOR("AppArmor", Origin.ADMISSION),
  CLASS_NOT_FOUND("RuntimeClassNotFound", Origin.BERTH),
  RUNTIME_UNRESOLVED("RuntimeUnresolved", Origin.BERTH),
  SERVICE_GONE("RuntimeServiceGone", Origin.BERTH),
  /// Under pressure at admission, or of a pod that runs.
  EVICTED("Evicted", Origin.ADMISSION),
  PREEMPTED("Preempting", Origin.RUNNING),
  DEADLINE_EXCEEDED("DeadlineExceeded", Origin.RUNNING);

  /// When the reason is given, and whether a kubelet gives it as well.
  public enum Origin {
    /// A kubelet rejects the pod with the same words.
    ADMISSION,
    /// A kubelet fails the pod after it has run.
    RUNNING,
    /// A kubelet has no such reason.
    BERTH
  }

  private final String text;
  private final Origin origin;

  FailureReason(String text, Origin origin) {
    this.text = text;
    this.origin = origin;
  }

  public Origin origin() {
    return origin;
  }

  @Override
  public String toString() {
    return text;
  }
}
