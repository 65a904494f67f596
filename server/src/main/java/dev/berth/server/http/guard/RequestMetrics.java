package dev.berth.server.http.guard;

import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.kinds.catalog.ServedKinds;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.atomic.LongAdder;

/// Request metrics of the server, under upstream's names.
///
/// The buckets are upstream's, so that dashboards and alerts for its API server work.
public final class RequestMetrics {
  private static final double[] SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6,
    8, 10, 15, 20, 30, 45, 60
  };

  private final Counter total;
  private final Histogram duration;
  private final Counter terminated;
  private final Gauge longRunning;
  private final ServedKinds kinds;
  private final LongAdder served = new LongAdder();

  public RequestMetrics(PrometheusRegistry registry, ServedKinds kinds, InflightRequests inflight) {
    this.kinds = kinds;
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
    terminated =
        Counter.builder()
            .name("apiserver_request_terminations_total")
            .help("Requests that were given up in self-defence.")
            .labelNames(
                "verb", "group", "version", "resource", "subresource", "scope", "component", "code")
            .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_current_inflight_requests")
        .help("Places of the limits on requests that are taken now, by kind of request.")
        .labelNames("request_kind")
        .callback(
            callback -> {
              callback.call(inflight.mutating(), "mutating");
              callback.call(inflight.readOnly(), "readOnly");
            })
        .register(registry);
    GaugeWithCallback.builder()
        .name("berth_apiserver_served_requests")
        .help("Requests that are served now, or waited for, streams and refusals included.")
        .callback(callback -> callback.call((double) served.sum()))
        .register(registry);
    longRunning =
        Gauge.builder()
            .name("apiserver_longrunning_requests")
            .help("Watches and other streams that are open now.")
            .labelNames("verb", "group", "version", "resource")
            .register(registry);
  }

  /// Starts the measurement of one request; must be ended with its code.
  public Measurement start(RequestInfo info, long nanos) {
    RequestLabels labels = RequestLabels.of(info, kinds);
    served.increment();
    boolean stream = info.verb().equals("watch");
    if (stream) {
      longRunning.labelValues("WATCH", labels.group(), labels.version(), labels.resource()).inc();
    }
    return new Measurement(labels, nanos, stream);
  }

  /// The measurement of one request.
  public final class Measurement {
    private final RequestLabels labels;
    private final long start;
    private final boolean stream;

    private Measurement(RequestLabels labels, long start, boolean stream) {
      this.labels = labels;
      this.start = start;
      this.stream = stream;
    }

    /// The server ended the request, for example by a time limit.
    public void terminated(int code) {
      terminated
          .labelValues(
              labels.verb(),
              labels.group(),
              labels.version(),
              labels.resource(),
              labels.subresource(),
              labels.scope(),
              "apiserver",
              Integer.toString(code))
          .inc();
    }

    public void end(int code, long nanos) {
      served.decrement();
      total
          .labelValues(
              labels.verb(),
              labels.group(),
              labels.version(),
              labels.resource(),
              labels.subresource(),
              labels.scope(),
              Integer.toString(code))
          .inc();
      if (stream) {
        longRunning.labelValues("WATCH", labels.group(), labels.version(), labels.resource()).dec();
      } else {
        duration
            .labelValues(
                labels.verb(),
                labels.group(),
                labels.version(),
                labels.resource(),
                labels.subresource(),
                labels.scope())
            .observe((nanos - start) / 1e9);
      }
    }
  }
}
