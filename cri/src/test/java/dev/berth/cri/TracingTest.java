package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriEndpoint.InProcess;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TracingTest {
  private final Services services = new Services();
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();
  private final FakeRuntime fake = new FakeRuntime();
  private final AtomicReference<String> traceparent = new AtomicReference<>("");
  private final RuntimeClient runtime = connect();

  @AfterEach
  void close() throws Exception {
    services.close();
    telemetry.close();
  }

  @Test
  void aCallIsASpanBelowTheCallersAndTheServiceHearsOfIt() {
    Span parent = telemetry.getTracer("test").spanBuilder("sync pod").startSpan();
    try (Scope _ = parent.makeCurrent()) {
      runtime.version();
    }

    SpanData span = spans.getFinishedSpanItems().getFirst();
    assertThat(span.getName()).isEqualTo("runtime.v1.RuntimeService/Version");
    assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(span.getParentSpanId()).isEqualTo(parent.getSpanContext().getSpanId());
    assertThat(span.getAttributes().get(AttributeKey.stringKey("rpc.system"))).isEqualTo("grpc");
    assertThat(span.getAttributes().get(AttributeKey.stringKey("rpc.method"))).isEqualTo("Version");
    assertThat(span.getAttributes().get(AttributeKey.stringKey("berth.runtime_service")))
        .isEqualTo("traced");
    assertThat(span.getAttributes().get(AttributeKey.longKey("rpc.grpc.status_code"))).isZero();
    assertThat(traceparent.get()).startsWith("00-" + span.getTraceId() + "-" + span.getSpanId());
  }

  @Test
  void aFailureIsTheSpansStatus() {
    fake.failure = Status.NOT_FOUND.withDescription("no");
    assertThatThrownBy(runtime::version);

    SpanData span = spans.getFinishedSpanItems().getFirst();
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getStatus().getDescription()).isEqualTo("no");
    assertThat(span.getAttributes().get(AttributeKey.longKey("rpc.grpc.status_code"))).isEqualTo(5);
  }

  private RuntimeClient connect() {
    ServerInterceptor headers =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            var key = Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);
            traceparent.set(String.valueOf(headers.get(key)));
            return next.startCall(call, headers);
          }
        };
    var endpoint = new InProcess(UUID.randomUUID().toString());
    services.serve(endpoint, List.of(ServerInterceptors.intercept(fake, headers)));
    return services.connect("traced", endpoint, CriDeadlines.KUBELET, telemetry).runtime();
  }
}
