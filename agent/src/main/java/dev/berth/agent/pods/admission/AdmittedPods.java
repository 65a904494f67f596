package dev.berth.agent.pods.admission;

import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/// The pods of the node, for one that wants to join them.
public interface AdmittedPods {
  /// Those that have not ended, with the resources that they got.
  List<Pod> present();

  /// Whether nothing of a pod runs any more.
  boolean hasStopped(String uid);

  /// Ends a pod so that another one gets its room.
  ///
  /// @param shortOf what the node has too little of
  void preempt(String uid, PodFailure why, String shortOf);
}
