package dev.berth.cri;

import dev.berth.api.Problem;
import dev.berth.api.TruncatedText;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.FileNotFoundException;
import java.util.Locale;
import java.util.Optional;

/// A call to a runtime service failed, or its reply lacks a required field.
///
/// Callers decide by the code and by `isUnanswered`, never by the text. After an unanswered call
/// nothing is known: the service may have done what it was asked, so the caller must look before it
/// repeats.
public final class CriException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String service;
  private final String endpoint;
  private final String method;
  private final Status.Code code;
  private final String reason;

  CriException(String service, CriEndpoint endpoint, String method, StatusRuntimeException cause) {
    super(text(service, method, cause.getStatus()), cause);
    this.service = service;
    this.endpoint = endpoint.toString();
    this.method = method;
    this.code = cause.getStatus().getCode();
    this.reason = reason(cause.getStatus());
  }

  /// The name of the runtime service.
  public String service() {
    return service;
  }

  /// The method as CRI names it, such as `RunPodSandbox`.
  public String method() {
    return method;
  }

  public Status.Code code() {
    return code;
  }

  /// The error text of the service, or of gRPC when the service gave none.
  public String reason() {
    return reason;
  }

  /// The failure that the runtime names, if it names one.
  public Optional<CriErrorName> errorName() {
    return CriErrorName.of(reason);
  }

  public boolean isNotFound() {
    return code == Status.Code.NOT_FOUND;
  }

  public boolean isUnimplemented() {
    return code == Status.Code.UNIMPLEMENTED;
  }

  /// Whether the service could not be reached, so that nothing is known about its state.
  public boolean isUnavailable() {
    return code == Status.Code.UNAVAILABLE;
  }

  /// Whether the service was reached and did not answer in time. It is unknown whether the service
  /// acted.
  public boolean isDeadlineExceeded() {
    return code == Status.Code.DEADLINE_EXCEEDED;
  }

  public boolean isCancelled() {
    return code == Status.Code.CANCELLED;
  }

  /// Whether the result of the call is unknown.
  public boolean isUnanswered() {
    return isCancelled() || isUnavailable() || isDeadlineExceeded();
  }

  /// The error as Kubernetes writes it in events: `rpc error: code = NotFound desc = ...`.
  public String rpcError() {
    var name = new StringBuilder();
    for (String word : code.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    // Go spells it with one l.
    String spelled = code == Status.Code.CANCELLED ? "Canceled" : name.toString();
    return "rpc error: code = %s desc = %s".formatted(spelled, reason);
  }

  public Problem problem() {
    return new Problem(
        "runtime service %s failed in %s".formatted(service, method),
        code + ": " + reason,
        switch (code) {
          case UNAVAILABLE -> "Check that the runtime is running and listens at " + endpoint;
          case DEADLINE_EXCEEDED -> "Check whether the runtime at " + endpoint + " hangs";
          case UNIMPLEMENTED ->
              reason.startsWith("unknown service")
                  ? "Enable CRI in the runtime at %s (containerd: `disabled_plugins`), or use another"
                      .formatted(endpoint)
                  : "Use a runtime that has this call, or update it";
          case PERMISSION_DENIED, UNAUTHENTICATED -> "Check who may use " + endpoint;
          case OK,
              CANCELLED,
              UNKNOWN,
              INVALID_ARGUMENT,
              NOT_FOUND,
              ALREADY_EXISTS,
              RESOURCE_EXHAUSTED,
              FAILED_PRECONDITION,
              ABORTED,
              OUT_OF_RANGE,
              INTERNAL,
              DATA_LOSS ->
              "";
        });
  }

  private static String text(String service, String method, Status status) {
    return "runtime service %s: %s: %s: %s"
        .formatted(service, method, status.getCode(), reason(status));
  }

  /// The error text with a bounded length: it goes into logs, events and statuses, and a runtime
  /// may send megabytes.
  private static String reason(Status status) {
    return TruncatedText.of(unbounded(status), TruncatedText.MESSAGE);
  }

  /// The error text of the service, or the cause when gRPC itself failed.
  private static String unbounded(Status status) {
    String description = status.getDescription();
    Throwable cause = status.getCause();
    if (cause == null || cause instanceof InterruptedException) {
      return description == null ? "no reason given" : description;
    }
    // gRPC's "io exception" says nothing, and Netty's exception for a missing socket has no text.
    String detail =
        cause instanceof FileNotFoundException ? "no such file or directory" : words(cause);
    return description == null || description.equals("io exception")
        ? detail
        : description + ": " + detail;
  }

  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
