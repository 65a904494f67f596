package dev.berth.server.admission.podsecurity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.NamespaceLabels;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.errors.ApiException;
import dev.berth.server.podsecurity.LevelVersion;
import dev.berth.server.podsecurity.NamespacePolicy;
import dev.berth.server.podsecurity.PodSecurityConfiguration;
import dev.berth.server.podsecurity.PolicyEvaluator;
import dev.berth.server.podsecurity.PolicyVerdict;
import dev.berth.server.validation.FieldErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/// Validates the Pod Security labels of a namespace and warns about existing pods that violate a
/// stricter level.
///
/// Existing pods are never refused or stopped: the labels hold for new pods. The warnings only show
/// whoever tightens a policy what would no longer be admitted.
public final class NamespaceSecurityLabels implements AdmissionPlugin {
  /// Upstream's bounds for checking existing pods: a label change must stay fast in a large
  /// namespace.
  private static final int MOST_PODS = 3_000;

  /// Upstream's limit for the check of the pods that are there when a namespace gets a level: the
  /// write of the namespace must not wait for thousands of pods.
  private static final Duration MOST_TIME = Duration.ofSeconds(1);

  private final ObjectReader objects;
  private final PodSecurityConfiguration config;
  private final PodSecurityMetrics metrics;
  private final PolicyEvaluator evaluator;
  private final LongSupplier nanoTime;

  public NamespaceSecurityLabels(
      ObjectReader objects,
      PodSecurityConfiguration config,
      PodSecurityMetrics metrics,
      PolicyEvaluator evaluator,
      LongSupplier nanoTime) {
    this.objects = objects;
    this.config = config;
    this.metrics = metrics;
    this.evaluator = evaluator;
    this.nanoTime = nanoTime;
  }

  @Override
  public void validate(AdmissionAttributes write) {
    ObjectNode namespace = write.whole("", "namespaces");
    if (namespace == null || write.operation() == Operation.DELETE) {
      return;
    }
    FieldErrors errors = new FieldErrors();
    NamespacePolicy policy = policy(namespace, errors);
    ObjectNode old = write.old();
    FieldErrors oldErrors = new FieldErrors();
    NamespacePolicy before = old == null ? policy : policy(old, oldErrors);
    // Invalid labels that are already stored may stay unchanged.
    if (!errors.isEmpty() && (old == null || !errors.toList().equals(oldErrors.toList()))) {
      throw ApiException.invalid(write.kind().resource(), write.displayName(), errors.toList());
    }
    if (config.namespaces().contains(write.displayName())) {
      exempt(write, policy);
    } else if (old != null && isStricter(policy.enforce(), before.enforce())) {
      warnAboutPods(write, policy.enforce());
    }
  }

  private NamespacePolicy policy(ObjectNode namespace, FieldErrors errors) {
    return NamespacePolicy.of(NamespaceLabels.of(namespace), config.defaults(), errors);
  }

  private void exempt(AdmissionAttributes write, NamespacePolicy policy) {
    if (!policy.isPrivileged() && !policy.isEquivalentTo(config.defaults())) {
      write
          .warnings()
          .accept(
              "namespace \"%s\" is exempt from Pod Security, and the policy (%s) will be ignored"
                  .formatted(write.displayName(), policy));
    }
    write.auditAnnotation(NamespacePolicy.PREFIX + "exempt", "namespace");
    metrics.exempted(write);
  }

  private static boolean isStricter(LevelVersion now, LevelVersion before) {
    return !now.isPrivileged()
        && !now.equals(before)
        && !(now.version().equals(before.version()) && now.level().compareTo(before.level()) <= 0);
  }

  /// Groups pods with the same violation into one warning.
  private static final class Offenders {
    private String first;
    private int count = 1;

    Offenders(String first) {
      this.first = first;
    }

    static Offenders both(Offenders known, Offenders more) {
      known.first = known.first.compareTo(more.first) <= 0 ? known.first : more.first;
      known.count += more.count;
      return known;
    }

    @Override
    public String toString() {
      return switch (count) {
        case 1 -> first;
        case 2 -> first + " (and 1 other pod)";
        default -> first + " (and " + (count - 1) + " other pods)";
      };
    }
  }

  private void warnAboutPods(AdmissionAttributes write, LevelVersion enforce) {
    Map<String, Offenders> offenders = new TreeMap<>();
    long end = nanoTime.getAsLong() + MOST_TIME.toNanos();
    int[] checked = {0};
    int total =
        objects.visit(
            "pods",
            write.displayName(),
            pod -> {
              checked[0]++;
              reasons(enforce, pod, offenders);
              return checked[0] < MOST_PODS && nanoTime.getAsLong() < end;
            });
    if (checked[0] < total) {
      write
          .warnings()
          .accept(
              "new PodSecurity enforce level only checked against the first %d of %d existing pods"
                  .formatted(checked[0], total));
    }
    if (!offenders.isEmpty()) {
      write
          .warnings()
          .accept(
              "existing pods in namespace \"%s\" violate the new PodSecurity enforce level \"%s\""
                  .formatted(write.displayName(), enforce));
      List<String> texts = new ArrayList<>();
      offenders.forEach((reasons, pods) -> texts.add(pods + ": " + reasons));
      texts.stream().sorted().forEach(write.warnings());
    }
  }

  private void reasons(LevelVersion enforce, ObjectNode pod, Map<String, Offenders> offenders) {
    if (config.runtimeClasses().contains(PodRuntime.className(pod.path("spec")))) {
      return;
    }
    PolicyVerdict verdict = evaluator.evaluate(enforce, pod.path("metadata"), pod.path("spec"));
    if (!verdict.isAllowed()) {
      offenders.merge(
          verdict.reasons(),
          new Offenders(pod.path("metadata").path("name").asText()),
          Offenders::both);
    }
  }
}
