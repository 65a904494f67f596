package dev.berth.server.admission.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodRuntime;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.NamespaceLabels;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.podsecurity.LevelVersion;
import dev.berth.server.podsecurity.NamespacePolicy;
import dev.berth.server.podsecurity.PodSecurityConfiguration;
import dev.berth.server.podsecurity.PolicyEvaluator;
import dev.berth.server.podsecurity.PolicyVerdict;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Applies the Pod Security Standard of the namespace to pods (upstream's `PodSecurity`): rejects,
/// warns, and annotates the audit log. Pod templates only cause warnings and annotations; their
/// pods are checked when they are created.
///
/// `NamespacePolicy` treats an unreadable `enforce` label as `restricted`, so a typing error never
/// opens a namespace.
public final class PodSecurityAdmission implements AdmissionPlugin {
  /// Subresources that cannot change a pod's specification.
  private static final Set<String> HARMLESS_SUBRESOURCES =
      Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

  private final ObjectReader objects;
  private final PodSecurityConfiguration config;
  private final PodSecurityMetrics metrics;
  private final PolicyEvaluator evaluator;

  public PodSecurityAdmission(
      ObjectReader objects,
      PodSecurityConfiguration config,
      PodSecurityMetrics metrics,
      PolicyEvaluator evaluator) {
    this.objects = objects;
    this.config = config;
    this.metrics = metrics;
    this.evaluator = evaluator;
  }

  @Override
  public void validate(AdmissionAttributes write) {
    ObjectNode object = write.object();
    if (object == null || write.operation() == Operation.DELETE) {
      return;
    }
    if (write.isOn("", "pods")) {
      pod(write, object);
    } else {
      JsonNode template = PodTemplates.of(write, object);
      if (template != null) {
        template(write, template);
      }
    }
  }

  private void pod(AdmissionAttributes write, ObjectNode pod) {
    if (HARMLESS_SUBRESOURCES.contains(write.subresource()) || isExempt(write)) {
      return;
    }
    Labelled namespace = policy(write.namespace());
    if (namespace.errors.isEmpty() && namespace.policy.isPrivileged()) {
      metrics.evaluated(true, namespace.policy.enforce(), "enforce", write);
      annotate(write, "enforce-policy", namespace.policy.enforce().toString());
      return;
    }
    ObjectNode old = write.old();
    if (old == null || PodUpdate.isSignificant(pod, old)) {
      evaluate(write, namespace, pod, true);
    }
  }

  /// Only pods are refused, as upstream has it; a template alone does no harm.
  private void template(AdmissionAttributes write, JsonNode template) {
    if (isExempt(write)) {
      return;
    }
    Labelled namespace = policy(write.namespace());
    boolean silent =
        namespace.policy.warn().isPrivileged() && namespace.policy.audit().isPrivileged();
    if (!silent || !namespace.errors.isEmpty()) {
      evaluate(write, namespace, template, false);
    }
  }

  private void evaluate(
      AdmissionAttributes write, Labelled namespace, JsonNode pod, boolean enforce) {
    JsonNode spec = pod.path("spec");
    if (config.runtimeClasses().contains(PodRuntime.className(spec))) {
      exempt(write, "runtimeClass");
      return;
    }
    if (!namespace.errors.isEmpty()) {
      annotate(write, "error", "Failed to parse policy: " + namespace.errorText());
      metrics.unreadableLabels(write);
    }
    // The three modes often have the same policy, which is then evaluated once.
    Map<LevelVersion, PolicyVerdict> verdicts = new HashMap<>();
    NamespacePolicy policy = namespace.policy;
    @Nullable PolicyVerdict refusal = null;
    if (enforce) {
      annotate(write, "enforce-policy", policy.enforce().toString());
      PolicyVerdict verdict = verdict(verdicts, policy.enforce(), pod);
      metrics.evaluated(verdict.isAllowed(), policy.enforce(), "enforce", write);
      refusal = verdict.isAllowed() ? null : verdict;
    }
    PolicyVerdict audit = verdict(verdicts, policy.audit(), pod);
    if (!audit.isAllowed()) {
      annotate(write, "audit-violations", would(policy.audit(), audit));
      metrics.evaluated(false, policy.audit(), "audit", write);
    }
    // The audit annotation comes before the refusal, so that a refused pod is in the audit log with
    // all reasons. A refused request gets no warnings besides.
    if (refusal != null) {
      throw write.forbidden(
          "violates PodSecurity \"%s\": %s".formatted(policy.enforce(), refusal.details()));
    }
    PolicyVerdict warn = verdict(verdicts, policy.warn(), pod);
    if (!warn.isAllowed()) {
      write.warnings().accept(would(policy.warn(), warn));
      metrics.evaluated(false, policy.warn(), "warn", write);
    }
  }

  private PolicyVerdict verdict(
      Map<LevelVersion, PolicyVerdict> known, LevelVersion policy, JsonNode pod) {
    return known.computeIfAbsent(
        policy, _ -> evaluator.evaluate(policy, pod.path("metadata"), pod.path("spec")));
  }

  private static String would(LevelVersion policy, PolicyVerdict verdict) {
    return "would violate PodSecurity \"%s\": %s".formatted(policy, verdict.details());
  }

  /// Exemptions are counted and annotated, so that an administrator sees what was not checked.
  private boolean isExempt(AdmissionAttributes write) {
    if (config.namespaces().contains(write.namespace())) {
      exempt(write, "namespace");
      return true;
    }
    if (config.usernames().contains(write.user().name())) {
      exempt(write, "user");
      return true;
    }
    return false;
  }

  private void exempt(AdmissionAttributes write, String reason) {
    annotate(write, "exempt", reason);
    metrics.exempted(write);
  }

  private static void annotate(AdmissionAttributes write, String key, String value) {
    write.auditAnnotation(NamespacePolicy.PREFIX + key, value);
  }

  /// A policy, and the errors of the labels that it was read from.
  private record Labelled(NamespacePolicy policy, FieldErrors errors) {
    String errorText() {
      String all =
          errors.toList().stream().map(FieldError::toString).collect(Collectors.joining(", "));
      return errors.size() == 1 ? all : "[" + all + "]";
    }
  }

  private Labelled policy(String namespace) {
    FieldErrors errors = new FieldErrors();
    Map<String, String> labels = NamespaceLabels.of(objects.read("namespaces", "", namespace));
    return new Labelled(NamespacePolicy.of(labels, config.defaults(), errors), errors);
  }
}
