package dev.berth.agent.probes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Int32Value;
import com.google.protobuf.StringValue;
import io.fabric8.kubernetes.api.model.GRPCActionBuilder;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class GrpcCheckTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /// On the wire a string and a number in field 1, as the health protocol has them.
  private static final MethodDescriptor<StringValue, Int32Value> CHECK =
      MethodDescriptor.<StringValue, Int32Value>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("grpc.health.v1.Health/Check")
          .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(Int32Value.getDefaultInstance()))
          .build();

  @Test
  void onlyAServiceThatServesIsWell() throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder("grpc.health.v1.Health")
                    .addMethod(
                        CHECK,
                        ServerCalls.asyncUnaryCall(
                            (service, reply) -> {
                              reply.onNext(
                                  Int32Value.of(service.getValue().equals("good") ? 1 : 2));
                              reply.onCompleted();
                            }))
                    .build())
            .build()
            .start();
    try {
      assertThat(check(server, "good")).isEqualTo(new ProbeResult.Success());
      assertThat(check(server, "bad"))
          .isEqualTo(new ProbeResult.Failure("service unhealthy (responded with \"NOT_SERVING\")"));
    } finally {
      server.shutdownNow();
    }
    assertThat(check(server, "good"))
        .isEqualTo(
            new ProbeResult.Failure(
                "timeout: failed to connect service \"127.0.0.1:1\" within %ds: %s"
                    .formatted(LIMIT.toSeconds(), "connect: connection refused")));
    assertThat(TcpCheck.make(new ProbeTarget("127.0.0.1", 1), LIMIT))
        .isEqualTo(new ProbeResult.Failure("dial tcp 127.0.0.1:1: connect: connection refused"));
  }

  private static ProbeResult check(Server server, String service) {
    var action = new GRPCActionBuilder().withService(service).build();
    int port = server.isShutdown() ? 1 : server.getPort();
    return GrpcCheck.make(new ProbeTarget("127.0.0.1", port), action, LIMIT);
  }
}
