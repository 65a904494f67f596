package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeWorkers.Subject;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Metrics of probes, with the kubelet's names: the text of `/metrics/probes`.
public final class ProbeMetrics {
  private record Series(String kind, String container, String pod, String namespace, String uid) {}

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter results =
      Counter.builder()
          .name("prober_probe_total")
          .help("Probes of containers, by result.")
          .labelNames("probe_type", "result", "container", "pod", "namespace", "pod_uid")
          .register(registry);
  private final Histogram durations =
      Histogram.builder()
          .name("prober_probe_duration_seconds")
          .help("Probes that succeeded.")
          .labelNames("probe_type", "container", "pod", "namespace")
          .classicOnly()
          .register(registry);
  private final Set<Series> present = ConcurrentHashMap.newKeySet();

  void made(Subject subject, ProbeKind kind, ProbeResult result, long nanos) {
    ObjectMeta pod = subject.pod().getMetadata();
    Series series =
        new Series(
            kind.word(),
            subject.container().getName(),
            pod.getName(),
            pod.getNamespace(),
            pod.getUid());
    present.add(series);
    results
        .labelValues(
            series.kind,
            Outcome.of(result).word(),
            series.container,
            series.pod,
            series.namespace,
            series.uid)
        .inc();
    if (result instanceof ProbeResult.Success) {
      durations
          .labelValues(series.kind, series.container, series.pod, series.namespace)
          .observe(nanos / 1e9);
    }
  }

  private enum Outcome {
    SUCCESSFUL,
    FAILED,
    UNKNOWN;

    static Outcome of(ProbeResult result) {
      return switch (result) {
        case ProbeResult.Success _ -> SUCCESSFUL;
        case ProbeResult.Failure _ -> FAILED;
        case ProbeResult.Unknown _, ProbeResult.Errored _ -> UNKNOWN;
      };
    }

    String word() {
      return switch (this) {
        case SUCCESSFUL -> "successful";
        case FAILED -> "failed";
        case UNKNOWN -> "unknown";
      };
    }
  }

  /// The metrics of these pods, over all instances of their containers; others are dropped.
  ///
  /// @param pods the UIDs of the node's pods
  public byte[] text(Collection<String> pods) {
    List<Series> gone = present.stream().filter(one -> !pods.contains(one.uid)).toList();
    gone.forEach(present::remove);
    gone.forEach(this::forget);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private void forget(Series gone) {
    for (Outcome outcome : Outcome.values()) {
      results.remove(gone.kind, outcome.word(), gone.container, gone.pod, gone.namespace, gone.uid);
    }
    // Another pod may have the same name now.
    boolean isShared =
        present.stream()
            .anyMatch(one -> one.pod.equals(gone.pod) && one.namespace.equals(gone.namespace));
    if (!isShared) {
      durations.remove(gone.kind, gone.container, gone.pod, gone.namespace);
    }
  }
}
