package dev.berth.cri;

import io.grpc.MethodDescriptor;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One call of a contract and its conventions.
final class Operation<Q, R> {
  private final String type;
  private final MethodDescriptor<Q, R> v1;
  private final @Nullable MethodDescriptor<Q, R> v1alpha2;
  private final @Nullable R absent;
  private final Function<R, String> missing;

  private Operation(
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

  /// @param type the kubelet's word for it, the metrics' label `operation_type`
  static <Q, R> Operation<Q, R> of(String type, MethodDescriptor<Q, R> method) {
    return new Operation<>(type, method, null, null, _ -> "");
  }

  Operation<Q, R> alsoInV1alpha2() {
    return new Operation<>(type, v1, V1alpha2.of(v1), absent, missing);
  }

  /// NOT_FOUND means that there is nothing left to do.
  Operation<Q, R> doneWhenAbsent(R reply) {
    return new Operation<>(type, v1, v1alpha2, reply, missing);
  }

  /// Names the field without which the reply is useless; empty when nothing is missing.
  Operation<Q, R> refusing(Function<R, String> missingField) {
    return new Operation<>(type, v1, v1alpha2, absent, missingField);
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
