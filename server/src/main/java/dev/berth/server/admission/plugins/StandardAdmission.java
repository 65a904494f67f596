package dev.berth.server.admission.plugins;

import dev.berth.server.admission.AdmissionChain;
import dev.berth.server.admission.images.ImageLookups;
import dev.berth.server.admission.images.ImageSteering;
import dev.berth.server.admission.podsecurity.NamespaceSecurityLabels;
import dev.berth.server.admission.podsecurity.PodSecurityAdmission;
import dev.berth.server.admission.podsecurity.PodSecurityMetrics;
import dev.berth.server.admission.quotas.LimitRangeAdmission;
import dev.berth.server.admission.quotas.QuotaAdmission;
import dev.berth.server.admission.quotas.QuotaStore;
import dev.berth.server.admission.runtimeclass.ClassAnnotationCheck;
import dev.berth.server.admission.runtimeclass.ClassFromDefault;
import dev.berth.server.admission.runtimeclass.ClassFromLegacyAnnotation;
import dev.berth.server.admission.runtimeclass.ClassFromRequirements;
import dev.berth.server.admission.runtimeclass.ClassOverheadAndScheduling;
import dev.berth.server.admission.runtimeclass.ClassUseCheck;
import dev.berth.server.admission.runtimeclass.RuntimeCatalog;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.authorization.EscalationCheck;
import dev.berth.server.podsecurity.PolicyEvaluator;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// The list of all admission plugins, in upstream's order.
public final class StandardAdmission {
  private StandardAdmission() {}

  /// The plugins that choose a pod's RuntimeClass come right before the one that applies it.
  ///
  /// Other orders have visible effects: defaults of LimitRanges must exist before quotas are
  /// charged, the class must be known before its overhead is applied, and quotas come last, because
  /// a charge for a write that another plugin refuses would have to be refunded.
  ///
  /// @param patience how long a pod's creation waits for the `default` account of a new namespace
  public static AdmissionChain chain(
      AdmissionConfig config,
      ObjectReader objects,
      QuotaStore quotas,
      RuntimeCatalog runtimes,
      EscalationCheck escalation,
      CertificateAdmission certificates,
      ImageLookups images,
      RandomGenerator random,
      Duration patience,
      PrometheusRegistry metrics) {
    PodSecurityMetrics podSecurity = new PodSecurityMetrics(metrics);
    PolicyEvaluator policies = new PolicyEvaluator();
    return new AdmissionChain(
        List.of(
            new NamespaceLifecycle(objects),
            new LimitRangeAdmission(objects),
            new ServiceAccountAdmission(objects, random, patience),
            new NodeRestriction(objects),
            new TaintNewNodes(),
            new PodSecurityAdmission(objects, config.podSecurity(), podSecurity, policies),
            new NamespaceSecurityLabels(
                objects, config.podSecurity(), podSecurity, policies, System::nanoTime),
            new PriorityAdmission(objects),
            new DefaultTolerations(),
            new ClassFromLegacyAnnotation(runtimes),
            new ClassFromRequirements(objects, runtimes),
            new ClassFromDefault(objects, runtimes),
            new ImageSteering(objects, runtimes, config.steering(), images),
            new ClassOverheadAndScheduling(objects, runtimes),
            new ClassUseCheck(objects, runtimes),
            new ClassAnnotationCheck(runtimes),
            certificates,
            new StoredOnlyKinds(config.hasControllers()),
            new RbacEscalation(escalation),
            new QuotaAdmission(quotas)));
  }
}
