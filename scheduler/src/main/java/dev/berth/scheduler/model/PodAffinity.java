package dev.berth.scheduler.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;

/// The pod affinity and anti-affinity of a pod.
///
/// @param preferred affinity terms with positive weights, anti-affinity terms with negative weights
public record PodAffinity(List<PodTerm> near, List<PodTerm> far, List<PodTerm.Weighted> preferred) {
  public static final PodAffinity NONE = new PodAffinity(List.of(), List.of(), List.of());
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  static PodAffinity parse(JsonNode affinity, String namespace) {
    JsonNode near = affinity.path("podAffinity");
    JsonNode far = affinity.path("podAntiAffinity");
    if (near.isMissingNode() && far.isMissingNode()) {
      return NONE;
    }
    return new PodAffinity(
        PodTerm.parseAll(near.path(REQUIRED), namespace),
        PodTerm.parseAll(far.path(REQUIRED), namespace),
        Stream.concat(
                PodTerm.parseWeighted(near.path(PREFERRED), namespace, 1).stream(),
                PodTerm.parseWeighted(far.path(PREFERRED), namespace, -1).stream())
            .toList());
  }

  public boolean isNone() {
    return near.isEmpty() && far.isEmpty() && preferred.isEmpty();
  }
}
