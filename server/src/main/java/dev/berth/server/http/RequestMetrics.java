package dev.berth.server.http;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// What the server counts about its requests, under upstream's names.
final class RequestMetrics {
  private static final double[] SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6,
    8, 10, 15, 20, 30, 45, 60
  };

  private final Counter total;
  private final Histogram duration;
  private final Gauge inflight;
  private final Gauge longRunning;

  RequestMetrics(PrometheusRegistry registry) {
    total =
        Counter.builder()
            .name("apiserver_request_total")
            .help("Requests by verb, group, version, resource, subresource, scope and HTTP code.")
            .labelNames("verb", "group", "version", "resource", "subresource", "scope", "code")
            .register(registry);
    duration =
        Histogram.builder()
            .name("apiserver_request_duration_seconds")
            .help("Time from request to answer, without watches and other long streams.")
            .labelNames("verb", "group", "version", "resource", "subresource", "scope")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    inflight =
        Gauge.builder()
            .name("apiserver_current_inflight_requests")
            .help("Requests being handled now, by kind of request.")
            .labelNames("request_kind")
            .register(registry);
    longRunning =
        Gauge.builder()
            .name("apiserver_longrunning_requests")
            .help("Watches and other streams that are open now.")
            .labelNames("verb", "group", "version", "resource")
            .register(registry);
  }

  /// Counts one request; to be closed with its code.
  Measurement start(RequestInfo info, long nanos) {
    boolean stream = info.verb().equals("watch");
    if (stream) {
      longRunning.labelValues("WATCH", info.group(), info.version(), info.resource()).inc();
    } else {
      inflight.labelValues(requestKind(info)).inc();
    }
    return new Measurement(info, nanos, stream);
  }

  private static String requestKind(RequestInfo info) {
    return switch (info.verb()) {
      case "get", "list", "watch" -> "readOnly";
      default -> "mutating";
    };
  }

  final class Measurement {
    private final RequestInfo info;
    private final long start;
    private final boolean stream;

    private Measurement(RequestInfo info, long start, boolean stream) {
      this.info = info;
      this.start = start;
      this.stream = stream;
    }

    void end(int code, long nanos) {
      String verb = info.verb().toUpperCase(java.util.Locale.ROOT);
      String scope =
          !info.isResource()
              ? ""
              : !info.name().isEmpty()
                  ? "resource"
                  : info.namespace().isEmpty() ? "cluster" : "namespace";
      total
          .labelValues(
              verb,
              info.group(),
              info.version(),
              info.resource(),
              info.subresource(),
              scope,
              Integer.toString(code))
          .inc();
      if (stream) {
        longRunning.labelValues("WATCH", info.group(), info.version(), info.resource()).dec();
      } else {
        inflight.labelValues(requestKind(info)).dec();
        duration
            .labelValues(
                verb, info.group(), info.version(), info.resource(), info.subresource(), scope)
            .observe((nanos - start) / 1e9);
      }
    }
  }
}
