package dev.berth.agent.pressure;

import dev.berth.api.pods.QosClass;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Admission of pods while the node is under pressure.
public final class PressureAdmission {
  private static final String TAINT = "node.kubernetes.io/memory-pressure";

  private PressureAdmission() {}

  /// Why the node rejects a new pod; empty when it admits it.
  public static Optional<String> refusal(Pod pod, Set<PressureCondition> pressures) {
    boolean onlyMemory = pressures.equals(Set.of(PressureCondition.MEMORY));
    boolean isTaken =
        pressures.isEmpty()
            || EvictionCandidate.isCritical(pod)
            || (onlyMemory && (QosClass.of(pod) != QosClass.BEST_EFFORT || tolerates(pod)));
    return isTaken
        ? Optional.empty()
        : Optional.of("Pod was rejected: " + EvictionText.refusal(pressures));
  }

  private static boolean tolerates(Pod pod) {
    return pod.getSpec().getTolerations().stream()
        .anyMatch(
            one ->
                (one.getEffect() == null
                        || one.getEffect().isEmpty()
                        || one.getEffect().equals("NoSchedule"))
                    && (Objects.equals(one.getOperator(), "Exists")
                        ? one.getKey() == null
                            || one.getKey().isEmpty()
                            || one.getKey().equals(TAINT)
                        : TAINT.equals(one.getKey())
                            && (one.getValue() == null || one.getValue().isEmpty())));
  }
}
