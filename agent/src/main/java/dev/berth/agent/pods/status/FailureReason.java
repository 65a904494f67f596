package dev.berth.agent.pods.status;

/// Every reason with which the agent fails a pod, with the text of `status.reason`. The agent fails
/// a pod in no other way, so that a test can run a ReplicaSet against each reason.
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
  /// The node is short of a resource, at admission or while the pod runs.
  EVICTED("Evicted", Origin.ADMISSION),
  PREEMPTED("Preempting", Origin.RUNNING),
  DEADLINE_EXCEEDED("DeadlineExceeded", Origin.RUNNING);

  /// When the agent uses the reason, and whether a kubelet has it.
  public enum Origin {
    /// A kubelet rejects pods with the same reason and message.
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
