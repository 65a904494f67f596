package dev.berth.agent.pods.admission;

import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/// The admitted pods of the node, as the admission of another pod sees them.
public interface AdmittedPods {
  /// Pods that have not ended, with the resources that are allocated to them.
  List<Pod> present();

  /// Whether the pod has stopped completely.
  boolean hasStopped(String uid);

  /// Preempts a pod.
  ///
  /// @param shortOf the resource that the node is short of
  void preempt(String uid, PodFailure why, String shortOf);
}
