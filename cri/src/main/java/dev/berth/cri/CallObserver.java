package dev.berth.cri;

import dev.berth.cri.v1.RunPodSandboxRequest;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import org.jspecify.annotations.Nullable;

/// Counts, times and traces the calls to one service.
///
/// `CriCalls` uses it around every call. Metrics have the kubelet's names, so its dashboards work;
/// a span is made only if tracing is on.
final class CallObserver {
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system");
  private static final AttributeKey<String> RPC_SERVICE = AttributeKey.stringKey("rpc.service");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
  private static final AttributeKey<Long> CODE = AttributeKey.longKey("rpc.grpc.status_code");
  private static final AttributeKey<String> SERVICE =
      AttributeKey.stringKey("berth.runtime_service");
  private static final TextMapSetter<Metadata> HEADERS = CallObserver::putHeader;

  private final String service;
  private final CriEndpoint endpoint;
  private final CriMetrics.OfService metrics;
  private final Tracer tracer;
  private final TextMapPropagator propagator;

  CallObserver(
      String service, CriEndpoint endpoint, CriMetrics.OfService metrics, OpenTelemetry telemetry) {
    this.service = service;
    this.endpoint = endpoint;
    this.metrics = metrics;
    this.tracer = telemetry.getTracer("dev.berth.cri");
    this.propagator = telemetry.getPropagators().getTextMapPropagator();
  }

  <Q> Call begin(CriOperation<Q, ?> operation, Q request) {
    // The kubelet has metrics of its own for sandboxes, by handler.
    CriMetrics.SandboxMeter sandbox =
        request instanceof RunPodSandboxRequest run
            ? metrics.sandbox(run.getRuntimeHandler())
            : null;
    return new Call(operation, sandbox, System.nanoTime(), startSpan(operation));
  }

  /// Begins a stream. A stream is counted, but neither timed nor traced: it lasts as long as the
  /// connection.
  Call beginStream(CriOperation<?, ?> operation) {
    return new Call(operation, null, 0, Span.getInvalid());
  }

  private Span startSpan(CriOperation<?, ?> operation) {
    if (!tracer.isEnabled()) {
      return Span.getInvalid();
    }
    return tracer
        .spanBuilder(operation.v1().getFullMethodName())
        .setSpanKind(SpanKind.CLIENT)
        .setAttribute(SYSTEM, "grpc")
        .setAttribute(RPC_SERVICE, String.valueOf(operation.v1().getServiceName()))
        .setAttribute(METHOD, operation.method())
        .setAttribute(SERVICE, service)
        .startSpan();
  }

  private static void putHeader(@Nullable Metadata headers, String key, String value) {
    if (headers != null) {
      headers.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);
    }
  }

  /// A call in progress. It ends once, in success or failure.
  final class Call {
    private final CriOperation<?, ?> operation;
    private final CriMetrics.@Nullable SandboxMeter sandbox;
    private final long started;
    private final Span span;

    private Call(
        CriOperation<?, ?> operation,
        CriMetrics.@Nullable SandboxMeter sandbox,
        long started,
        Span span) {
      this.operation = operation;
      this.sandbox = sandbox;
      this.started = started;
      this.span = span;
    }

    /// A channel that sends the trace context to the service.
    Channel over(Channel channel) {
      if (!span.getSpanContext().isValid()) {
        return channel;
      }
      var headers = new Metadata();
      propagator.inject(Context.current().with(span), headers, HEADERS);
      return ClientInterceptors.intercept(
          channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    void succeeded() {
      measure(false);
      span.setAttribute(CODE, (long) Status.Code.OK.value());
      span.end();
    }

    CriException failed(StatusRuntimeException e) {
      measure(true);
      var failure = new CriException(service, endpoint, operation.method(), e);
      span.setAttribute(CODE, (long) failure.code().value());
      span.setStatus(StatusCode.ERROR, failure.reason());
      span.end();
      return failure;
    }

    private void measure(boolean failed) {
      CriMetrics.OperationMeter meter = metrics.operation(operation);
      meter.count(failed);
      if (started != 0) {
        double seconds = (System.nanoTime() - started) / 1e9;
        meter.duration().observe(seconds);
        if (sandbox != null) {
          sandbox.observe(seconds, failed);
        }
      }
    }
  }
}
