package dev.berth.server.admission;

import dev.berth.server.auth.EscalationCheck;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.podsecurity.PolicyEvaluator;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// All plugins in their order.
public final class AdmissionChain {
  private final List<AdmissionPlugin> plugins;

  public AdmissionChain(List<AdmissionPlugin> plugins) {
    this.plugins = List.copyOf(plugins);
  }

  /// All plugins in upstream's order; those that choose a pod's class come right before the one
  /// that applies it.
  ///
  /// @param patience how long a pod's creation waits for the `default` account of a new namespace
  public static AdmissionChain standard(
      AdmissionConfig config,
      ObjectReader objects,
      QuotaStore quotas,
      RuntimeCatalog runtimes,
      EscalationCheck escalation,
      CertificateAdmission certificates,
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
            new LegacyRuntimeAnnotations(runtimes),
            new RuntimeClassSelection(objects, runtimes),
            new DefaultRuntimeClass(objects, runtimes),
            new RuntimeClassDefaults(objects, runtimes),
            new RuntimeClassPermission(objects, runtimes),
            new RuntimeClassAnnotations(runtimes),
            certificates,
            new StoredOnlyKinds(config.hasControllers()),
            new RbacEscalation(escalation),
            new QuotaAdmission(quotas)));
  }

  public void mutate(AdmissionAttributes attributes) {
    plugins.forEach(plugin -> plugin.mutate(attributes));
  }

  public void validate(AdmissionAttributes attributes) {
    plugins.forEach(plugin -> plugin.validate(attributes));
  }

  /// Takes what the object needs from all plugins, or from none.
  ///
  /// @return gives it back
  public Runnable reserve(AdmissionAttributes attributes) {
    List<Runnable> taken = new ArrayList<>();
    Runnable giveBack = () -> taken.reversed().forEach(Runnable::run);
    try {
      plugins.forEach(plugin -> taken.add(plugin.reserve(attributes)));
    } catch (RuntimeException e) {
      giveBack.run();
      throw e;
    }
    return giveBack;
  }

  public void committed(AdmissionAttributes attributes) {
    plugins.forEach(plugin -> plugin.committed(attributes));
  }
}
