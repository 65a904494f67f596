package dev.berth.cri;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The kubelet's metrics of runtime operations, with a label for the name of the runtime service.
///
/// The upper bounds of the buckets are the kubelet's, so that histograms of both can be added. A
/// label has only values that the agent knows: operations, handlers and registered services.
public final class CriMetrics {
  private static final String SERVICE = "runtime_service";
  private static final String OPERATION = "operation_type";
  private static final String HANDLER = "runtime_handler";
  private static final double[] SANDBOX_BUCKETS = {
    .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10
  };

  private final Counter operations;
  private final Counter operationErrors;
  private final Histogram operationDuration;
  private final Histogram sandboxDuration;
  private final Counter sandboxErrors;
  private final Map<String, OfService> services = new ConcurrentHashMap<>();

  public CriMetrics(PrometheusRegistry registry) {
    operations =
        counter("kubelet_runtime_operations_total", OPERATION)
            .help("Cumulative number of runtime operations by operation type.")
            .register(registry);
    operationErrors =
        counter("kubelet_runtime_operations_errors_total", OPERATION)
            .help("Cumulative number of runtime operation errors by operation type.")
            .register(registry);
    operationDuration =
        histogram("kubelet_runtime_operations_duration_seconds", OPERATION, operationBuckets())
            .help("Duration in seconds of runtime operations. Broken down by operation type.")
            .register(registry);
    sandboxDuration =
        histogram("kubelet_run_podsandbox_duration_seconds", HANDLER, SANDBOX_BUCKETS)
            .help(
                "Duration in seconds of the run_podsandbox operations. Broken down by"
                    + " RuntimeClass.Handler.")
            .register(registry);
    sandboxErrors =
        counter("kubelet_run_podsandbox_errors_total", HANDLER)
            .help(
                "Cumulative number of the run_podsandbox operation errors by"
                    + " RuntimeClass.Handler.")
            .register(registry);
  }

  /// Removes the series of a service that was removed.
  public void forget(String service) {
    OfService gone = services.remove(service);
    if (gone != null) {
      gone.forget();
    }
  }

  OfService of(String service) {
    return services.computeIfAbsent(service, OfService::new);
  }

  private static Counter.Builder counter(String name, String label) {
    return Counter.builder().name(name).labelNames(label, SERVICE);
  }

  private static Histogram.Builder histogram(String name, String label, double[] buckets) {
    return Histogram.builder()
        .name(name)
        .labelNames(label, SERVICE)
        .classicOnly()
        .classicUpperBounds(buckets);
  }

  private static double[] operationBuckets() {
    double[] buckets = new double[14];
    double bound = .005;
    for (int i = 0; i < buckets.length; i++, bound *= 2.5) {
      buckets[i] = bound;
    }
    return buckets;
  }

  /// The series of one service, looked up once: a lookup by labels costs more than the count.
  final class OfService {
    private final String service;
    private final Map<CriOperation<?, ?>, OperationMeter> meters = new ConcurrentHashMap<>();
    private final Map<String, SandboxMeter> sandboxes = new ConcurrentHashMap<>();

    private OfService(String service) {
      this.service = service;
    }

    OperationMeter operation(CriOperation<?, ?> operation) {
      OperationMeter known = meters.get(operation);
      return known != null ? known : meters.computeIfAbsent(operation, this::newMeter);
    }

    SandboxMeter sandbox(String handler) {
      SandboxMeter known = sandboxes.get(handler);
      return known != null ? known : sandboxes.computeIfAbsent(handler, this::newSandboxMeter);
    }

    private OperationMeter newMeter(CriOperation<?, ?> operation) {
      String type = operation.type();
      return new OperationMeter(
          operations.labelValues(type, service),
          operationErrors.labelValues(type, service),
          operationDuration.labelValues(type, service));
    }

    private SandboxMeter newSandboxMeter(String handler) {
      return new SandboxMeter(
          sandboxDuration.labelValues(handler, service),
          sandboxErrors.labelValues(handler, service));
    }

    private void forget() {
      for (CriOperation<?, ?> operation : meters.keySet()) {
        operations.remove(operation.type(), service);
        operationErrors.remove(operation.type(), service);
        operationDuration.remove(operation.type(), service);
      }
      for (String handler : sandboxes.keySet()) {
        sandboxDuration.remove(handler, service);
        sandboxErrors.remove(handler, service);
      }
    }
  }

  record OperationMeter(
      CounterDataPoint total, CounterDataPoint errors, DistributionDataPoint duration) {
    void count(boolean failed) {
      total.inc();
      if (failed) {
        errors.inc();
      }
    }
  }

  record SandboxMeter(DistributionDataPoint duration, CounterDataPoint errors) {
    void observe(double seconds, boolean failed) {
      duration.observe(seconds);
      if (failed) {
        errors.inc();
      }
    }
  }
}
