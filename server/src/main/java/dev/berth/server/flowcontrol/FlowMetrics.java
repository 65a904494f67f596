package dev.berth.server.flowcontrol;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Metrics of priority and fairness, under upstream's names.
///
/// Counters are adders, so a scrape takes no lock and may see a moment in between.
final class FlowMetrics {
  private static final String PREFIX = "apiserver_flowcontrol_";
  private static final String LEVEL = "priority_level";
  private static final String SCHEMA = "flow_schema";

  /// Upstream's buckets.
  private static final double[] SECONDS = {
    0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30
  };

  private final Map<String, OfSchema> schemas = new HashMap<>(); // complete after the constructor
  private final Counter rejected;

  /// The metrics of one flow schema.
  static final class OfSchema {
    private final FlowSchema schema;
    private final CounterDataPoint dispatched;
    private final DistributionDataPoint waitOfServed;
    private final DistributionDataPoint waitOfRejected;
    private final LongAdder waiting = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder seats = new LongAdder();

    private OfSchema(FlowSchema schema, Counter dispatched, Histogram waits) {
      this.schema = schema;
      String level = schema.level().title();
      this.dispatched = dispatched.labelValues(level, schema.name());
      this.waitOfServed = waits.labelValues(level, schema.name(), "true");
      this.waitOfRejected = waits.labelValues(level, schema.name(), "false");
    }

    void queued(int change) {
      waiting.add(change);
    }

    void served(int seatsTaken, double secondsWaited) {
      dispatched.inc();
      requests.increment();
      seats.add(seatsTaken);
      waitOfServed.observe(secondsWaited);
    }

    void left(int seatsTaken) {
      requests.decrement();
      seats.add(-seatsTaken);
    }
  }

  FlowMetrics(PrometheusRegistry registry, SeatScheduler seats) {
    Counter dispatched =
        Counter.builder()
            .name(PREFIX + "dispatched_requests_total")
            .help("Requests that were served, by priority level and flow schema.")
            .labelNames(LEVEL, SCHEMA)
            .register(registry);
    Histogram waits =
        Histogram.builder()
            .name(PREFIX + "request_wait_duration_seconds")
            .help("Time that a request waited for its seats; execute says whether it got them.")
            .labelNames(LEVEL, SCHEMA, "execute")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    rejected =
        Counter.builder()
            .name(PREFIX + "rejected_requests_total")
            .help("Requests that were refused because too many wait or for too long, by reason.")
            .labelNames(LEVEL, SCHEMA, "reason")
            .register(registry);
    for (FlowSchema schema : FlowSchemas.ALL) {
      schemas.put(schema.name(), new OfSchema(schema, dispatched, waits));
    }
    now(registry, "inqueue_requests", "Requests that wait for seats now.", one -> one.waiting);
    now(registry, "executing_requests", "Requests that have seats now.", one -> one.requests);
    now(registry, "executing_seats", "Seats that are taken now.", one -> one.seats);
    limit(registry, "nominal", "Seats when all levels are busy.", one -> seats.of(one).nominal);
    limit(registry, "lower", "Seats that other levels never use.", one -> seats.of(one).own);
    limit(registry, "upper", "Seats when all other levels are idle.", seats::reachable);
  }

  private void now(
      PrometheusRegistry registry, String name, String help, Function<OfSchema, LongAdder> value) {
    GaugeWithCallback.builder()
        .name(PREFIX + "current_" + name)
        .help(help)
        .labelNames(LEVEL, SCHEMA)
        .callback(
            callback -> {
              for (OfSchema one : schemas.values()) {
                FlowSchema schema = one.schema;
                callback.call(
                    (double) value.apply(one).sum(), schema.level().title(), schema.name());
              }
            })
        .register(registry);
  }

  private static void limit(
      PrometheusRegistry registry, String name, String help, ToIntFunction<PriorityLevel> value) {
    GaugeWithCallback.builder()
        .name(PREFIX + name + "_limit_seats")
        .help(help)
        .labelNames(LEVEL)
        .callback(
            callback -> {
              for (PriorityLevel level : PriorityLevel.values()) {
                callback.call(level.isExempt() ? 0 : value.applyAsInt(level), level.title());
              }
            })
        .register(registry);
  }

  OfSchema of(FlowSchema schema) {
    OfSchema found = schemas.get(schema.name());
    if (found == null) {
      throw new IllegalArgumentException("no flow schema is named " + schema.name());
    }
    return found;
  }

  void rejected(FlowSchema schema, RejectionReason reason, double secondsWaited) {
    rejected.labelValues(schema.level().title(), schema.name(), reason.toString()).inc();
    of(schema).waitOfRejected.observe(secondsWaited);
  }
}
