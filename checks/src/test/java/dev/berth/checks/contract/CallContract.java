package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.berth.cri.v1.ImageServiceGrpc;
import dev.berth.cri.v1.RuntimeCondition;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.StatusRequest;
import dev.berth.cri.v1.StatusResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every call with nothing in it, or with an id that does not exist.
interface CallContract extends RuntimeUnderTest {
  @Test
  default void theRuntimeSaysWhoItIs() {
    VersionResponse version = cri().runtime().version(VersionRequest.getDefaultInstance());

    assertThat(version.getVersion()).isEqualTo("0.1.0");
    assertThat(version.getRuntimeName()).isEqualTo("containerd");
    assertThat(version.getRuntimeVersion()).startsWith("1.6.20");
    assertThat(version.getRuntimeApiVersion()).isEqualTo("v1");
  }

  @Test
  default void theRuntimeSaysHowItIsAndWhatItOffers() {
    StatusResponse status =
        cri().runtime().status(StatusRequest.newBuilder().setVerbose(true).build());

    assertThat(status.getStatus().getConditionsList())
        .extracting(RuntimeCondition::getType)
        .containsExactly("RuntimeReady", "NetworkReady");
    assertThat(status.getStatus().getConditionsList()).allMatch(RuntimeCondition::getStatus);
    assertThat(status.getRuntimeHandlersList()).isEmpty();
    assertThat(status.getInfoOrThrow("config"))
        .contains(
            "\"defaultRuntimeName\":\"" + handler() + "\"",
            "\"runtimes\":{\"" + handler() + "\":{\"runtimeType\":\"io.containerd.runc.v2\"");
  }

  /// Whether a row of the tables is about something that this runtime has.
  ///
  /// @param call the version of the API and the call
  /// @param measured what containerd answered
  default boolean isComparable(String call, String measured) {
    return true;
  }

  @Test
  default void callsWithNothingInThemAreAnsweredAsMeasured() {
    assertThat(differences("empty-requests.tsv", false)).isEmpty();
  }

  @Test
  default void callsWithAnUnknownIdAreAnsweredAsMeasured() {
    assertThat(differences("unknown-ids.tsv", true)).isEmpty();
  }

  /// What is answered otherwise than the table says.
  private List<String> differences(String table, boolean withId) {
    List<String> differences = new ArrayList<>();
    table(table)
        .forEach(
            (call, expected) -> {
              if (!isComparable(call, expected)) {
                return;
              }
              String[] words = call.split("/", -1);
              String answer = answer(method(words[1]), words[0], withId);
              if (!answer.equals(expected)) {
                differences.add(call + ": " + answer + ", measured was " + expected);
              }
            });
    return differences;
  }

  private static MethodDescriptor<?, ?> method(String name) {
    return Stream.of(
            RuntimeServiceGrpc.getServiceDescriptor(), ImageServiceGrpc.getServiceDescriptor())
        .flatMap(service -> service.getMethods().stream())
        .filter(one -> one.getFullMethodName().endsWith("/" + name))
        .findFirst()
        .orElseThrow();
  }

  private <Q, R> String answer(MethodDescriptor<Q, R> method, String packageName, boolean withId) {
    MethodDescriptor<Q, R> named =
        method.toBuilder()
            .setFullMethodName(method.getFullMethodName().replace("runtime.v1.", packageName + "."))
            .setSchemaDescriptor(null)
            .build();
    Q request = method.parseRequest(withId ? idRequest() : InputStream.nullInputStream());
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS);
    try {
      if (method.getType() == MethodDescriptor.MethodType.UNARY) {
        ClientCalls.blockingUnaryCall(cri().channel(), named, options, request);
      } else {
        ClientCalls.blockingServerStreamingCall(cri().channel(), named, options, request).next();
      }
      return "OK";
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() + " " + e.getStatus().getDescription();
    }
  }

  /// Field 1 is the id in all requests that have one.
  private static InputStream idRequest() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeString(1, "nope");
      out.flush();
      return new ByteArrayInputStream(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// `package/Call` to `CODE text`.
  private static Map<String, String> table(String name) {
    try (InputStream in = CallContract.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      Map<String, String> table = new TreeMap<>();
      List<String> lines =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
      for (String line : lines) {
        String[] cells = line.split("\t", -1);
        table.put(
            cells[0] + "/" + cells[1], cells[2].equals("OK") ? "OK" : cells[2] + " " + cells[3]);
      }
      return table;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
