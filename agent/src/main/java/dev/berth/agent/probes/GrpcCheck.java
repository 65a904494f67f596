package dev.berth.agent.probes;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.berth.agent.probes.ProbeResult.Failure;
import dev.berth.agent.probes.ProbeResult.Success;
import io.fabric8.kubernetes.api.model.GRPCAction;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// Calls the gRPC health service. It has one message with one string each way, too little for
/// generated code.
final class GrpcCheck {
  private static final List<String> ANSWERS =
      List.of("UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN");
  private static final MethodDescriptor<String, Integer> CHECK =
      MethodDescriptor.<String, Integer>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("grpc.health.v1.Health/Check")
          .setRequestMarshaller(new Question())
          .setResponseMarshaller(new Answer())
          .build();

  private GrpcCheck() {}

  static ProbeResult make(ProbeTarget target, GRPCAction action, Duration limit) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(target.authority(), InsecureChannelCredentials.create()).build();
    try {
      int status =
          ClientCalls.blockingUnaryCall(
              channel,
              CHECK,
              CallOptions.DEFAULT.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS),
              Objects.requireNonNullElse(action.getService(), ""));
      String answer = status >= 0 && status < ANSWERS.size() ? ANSWERS.get(status) : "" + status;
      return answer.equals("SERVING")
          ? new Success()
          : new Failure("service unhealthy (responded with \"%s\")".formatted(answer));
    } catch (StatusRuntimeException e) {
      return new Failure(failure(target, e.getStatus(), limit));
    } finally {
      channel.shutdownNow();
    }
  }

  private static String failure(ProbeTarget target, Status status, Duration limit) {
    String words = Objects.requireNonNullElse(status.getDescription(), "no description");
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED ->
          "timeout: health rpc did not complete within " + limit.toSeconds() + "s";
      case UNAVAILABLE ->
          "timeout: failed to connect service \"%s\" within %ds: %s"
              .formatted(
                  target.authority(),
                  limit.toSeconds(),
                  status.getCause() instanceof ConnectException
                      ? "connect: connection refused"
                      : words);
      case UNIMPLEMENTED ->
          "error: this server does not implement the grpc health protocol"
              + " (grpc.health.v1.Health): "
              + words;
      default -> "error: health rpc probe failed: %s: %s".formatted(status.getCode(), words);
    };
  }

  private static final class Question implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String service) {
      var bytes = new ByteArrayOutputStream();
      try {
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeString(1, service);
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new ByteArrayInputStream(bytes.toByteArray());
    }

    @Override
    public String parse(InputStream stream) {
      throw new UnsupportedOperationException("only sent");
    }
  }

  private static final class Answer implements MethodDescriptor.Marshaller<Integer> {
    @Override
    public InputStream stream(Integer status) {
      throw new UnsupportedOperationException("only received");
    }

    @Override
    public Integer parse(InputStream stream) {
      try {
        CodedInputStream in = CodedInputStream.newInstance(stream);
        int status = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
          if (tag >>> 3 == 1) {
            status = in.readEnum();
          } else {
            in.skipField(tag);
          }
        }
        return status;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
