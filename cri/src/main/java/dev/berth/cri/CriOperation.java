package dev.berth.cri;

import io.grpc.MethodDescriptor;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One method of a contract, with the conventions for its replies.
///
/// Operations are constants and immutable; each modifier returns a copy. They are the keys of
/// metrics and of the negotiation, so each method must have one instance only.
final class CriOperation<Q, R> {
  private final String type;
  private final MethodDescriptor<Q, R> v1;
  private final @Nullable MethodDescriptor<Q, R> v1alpha2;
  private final @Nullable R absent;
  private final Function<R, String> missing;

  private CriOperation(
      String type,
      MethodDescriptor<Q, R> v1,
      @Nullable MethodDescriptor<Q, R> v1alpha2,
      @Nullable R absent,
      Function<R, String> missing) {
    this.type = type;
    this.v1 = v1;
    this.v1alpha2 = v1alpha2;
    this.absent = absent;
    this.missing = missing;
  }

  /// @param type the value of the metrics' label `operation_type`, as in the kubelet
  static <Q, R> CriOperation<Q, R> of(String type, MethodDescriptor<Q, R> method) {
    return new CriOperation<>(type, method, null, null, _ -> "");
  }

  CriOperation<Q, R> alsoInV1alpha2() {
    return new CriOperation<>(type, v1, CriV1alpha2.of(v1), absent, missing);
  }

  /// Treats NOT_FOUND as success: there is nothing left to do.
  ///
  /// CRI asks for this behavior, but containerd 1.6 answers NOT_FOUND for some calls.
  CriOperation<Q, R> doneWhenAbsent(R reply) {
    return new CriOperation<>(type, v1, v1alpha2, reply, missing);
  }

  /// Refuses replies that lack a required field. The function returns the field's name, or an empty
  /// text for a complete reply.
  CriOperation<Q, R> refusing(Function<R, String> missingField) {
    return new CriOperation<>(type, v1, v1alpha2, absent, missingField);
  }

  String type() {
    return type;
  }

  String method() {
    return Objects.requireNonNull(v1.getBareMethodName());
  }

  MethodDescriptor<Q, R> v1() {
    return v1;
  }

  @Nullable MethodDescriptor<Q, R> v1alpha2() {
    return v1alpha2;
  }

  @Nullable R absent() {
    return absent;
  }

  String missing(R reply) {
    return missing.apply(reply);
  }
}
