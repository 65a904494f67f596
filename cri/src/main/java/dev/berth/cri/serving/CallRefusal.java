package dev.berth.cri.serving;

import io.grpc.Status;

/// A gRPC error as the answer of a call. Code and text are the contract's or containerd's.
///
/// It has no stack trace: refusals are regular answers, and a load test makes many.
public final class CallRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final String text;
  private final boolean complete;

  public CallRefusal(Status.Code code, String text) {
    this(code, text, false);
  }

  private CallRefusal(Status.Code code, String text, boolean complete) {
    super(text, null, false, false);
    this.code = code;
    this.text = text;
    this.complete = complete;
  }

  /// The same refusal, to which `in` adds no context. containerd wraps most errors and returns a
  /// few as they are.
  public CallRefusal completed() {
    return new CallRefusal(code, text, true);
  }

  public static CallRefusal notFound(String text) {
    return new CallRefusal(Status.Code.NOT_FOUND, text);
  }

  /// An error without a gRPC code of its own. Go's servers answer UNKNOWN for it, and most of
  /// containerd's errors are such.
  public static CallRefusal unknown(String text) {
    return new CallRefusal(Status.Code.UNKNOWN, text);
  }

  public static CallRefusal invalid(String text) {
    return new CallRefusal(Status.Code.INVALID_ARGUMENT, text);
  }

  public static CallRefusal precondition(String text) {
    return new CallRefusal(Status.Code.FAILED_PRECONDITION, text);
  }

  /// The same refusal with context before its text, as Go wraps errors.
  public CallRefusal in(String context) {
    return complete ? this : new CallRefusal(code, context + ": " + text);
  }

  public Status.Code code() {
    return code;
  }

  public String text() {
    return text;
  }

  public Status status() {
    return code.toStatus().withDescription(text);
  }
}
