package dev.berth.server.admission.runtimeclass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.NamespaceLabels;
import dev.berth.server.auth.ObjectReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Chooses a RuntimeClass for a pod that requests properties instead of a class name.
///
/// Among the classes that provide all properties, are allowed in the namespace and are offered by a
/// node, the one with the fewest other properties wins, then the first by name: the choice is
/// deterministic.
public final class ClassFromRequirements implements AdmissionPlugin {
  /// Annotation of a pod with the requested properties, such as `isolation=vm, userNamespaces`.
  static final String REQUIRES = "berth.dev/runtime-requires";

  /// Annotation of a pod with the chosen class.
  static final String CHOSEN = "berth.dev/runtime-class-chosen";

  /// Bounds the list of unsuitable classes in a rejection.
  private static final int NEAREST = 3;

  private final ObjectReader objects;
  private final RuntimeCatalog catalog;

  public ClassFromRequirements(ObjectReader objects, RuntimeCatalog catalog) {
    this.objects = objects;
    this.catalog = catalog;
  }

  /// A class compared with the requested properties; it fits when `lacks` is empty.
  ///
  /// @param missing number of requested properties that the class does not provide
  private record Candidate(
      RuntimeClassPolicy policy, int properties, int missing, List<String> lacks) {}

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode spec = attributes.newPodSpec();
    ObjectNode pod = attributes.object();
    if (spec == null || pod == null) {
      return;
    }
    Map<String, String> wanted =
        RuntimeClassPolicy.words(pod.path("metadata").path("annotations").path(REQUIRES).asText());
    if (wanted.isEmpty()) {
      return;
    }
    List<Candidate> candidates = candidates(attributes, wanted);
    String named = PodRuntime.className(spec);
    if (!named.isEmpty()) {
      checkNamed(attributes, wanted, candidates, named);
      return;
    }
    Candidate best =
        candidates.stream()
            .filter(candidate -> candidate.lacks().isEmpty())
            .min(
                Comparator.comparingInt(Candidate::properties)
                    .thenComparing(candidate -> candidate.policy().name()))
            .orElseThrow(() -> attributes.forbidden(noneFits(wanted, candidates)));
    spec.put(PodRuntime.CLASS_FIELD, best.policy().name());
    pod.withObject("/metadata").withObject("annotations").put(CHOSEN, best.policy().name());
  }

  /// A named class that exists must meet the request; one that does not exist is refused by a later
  /// plugin.
  private static void checkNamed(
      AdmissionAttributes attributes,
      Map<String, String> wanted,
      List<Candidate> candidates,
      String named) {
    Optional<Candidate> own =
        candidates.stream().filter(candidate -> candidate.policy().name().equals(named)).findAny();
    if (own.isPresent() && !own.get().lacks().isEmpty()) {
      throw attributes.forbidden(
          "pod rejected: RuntimeClass \"%s\" does not meet %s (%s): it %s"
              .formatted(
                  named,
                  RuntimeClassPolicy.text(wanted),
                  REQUIRES,
                  String.join(" and ", own.get().lacks())));
    }
  }

  private List<Candidate> candidates(AdmissionAttributes attributes, Map<String, String> wanted) {
    Map<String, String> labels =
        NamespaceLabels.of(objects.read("namespaces", "", attributes.namespace()));
    return catalog.classes().stream()
        .map(policy -> judge(policy, wanted, attributes.namespace(), labels))
        .toList();
  }

  /// Properties that nodes report count beside those that the administrator declares; a declared
  /// value wins.
  private Candidate judge(
      RuntimeClassPolicy policy,
      Map<String, String> wanted,
      String namespace,
      Map<String, String> labels) {
    Map<String, String> properties = new TreeMap<>(policy.provides());
    catalog.features(policy.handler()).forEach(feature -> properties.putIfAbsent(feature, ""));
    Map<String, String> missing = new TreeMap<>(wanted);
    missing.entrySet().removeIf(wish -> wish.getValue().equals(properties.get(wish.getKey())));
    List<String> lacks = new ArrayList<>();
    if (!missing.isEmpty()) {
      lacks.add("lacks " + RuntimeClassPolicy.text(missing));
    }
    if (!policy.allows(namespace, labels)) {
      lacks.add("may be used by " + policy.allowedText() + " only");
    }
    // A class without nodes would leave the pod Pending for an unknown time although another class
    // may fit.
    if (catalog.nodesOffering(policy.handler()) == 0) {
      lacks.add("is offered by no node (handler " + policy.handler() + ")");
    }
    return new Candidate(policy, properties.size(), missing.size(), lacks);
  }

  private static String noneFits(Map<String, String> wanted, List<Candidate> candidates) {
    String nearest =
        String.join(
            "; ",
            candidates.stream()
                .sorted(
                    Comparator.comparingInt(Candidate::missing)
                        .thenComparingInt(candidate -> candidate.lacks().size())
                        .thenComparing(candidate -> candidate.policy().name()))
                .limit(NEAREST)
                .map(
                    candidate ->
                        "\"%s\" %s"
                            .formatted(
                                candidate.policy().name(), String.join(" and ", candidate.lacks())))
                .toList());
    return "pod rejected: no RuntimeClass meets %s (%s)%s"
        .formatted(
            RuntimeClassPolicy.text(wanted),
            REQUIRES,
            nearest.isEmpty() ? ": there are no classes" : "; nearest: " + nearest);
  }
}
