package dev.berth.sim.call;

import io.grpc.Status;

/// An answer that is an error; its code and words are the contract's.
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

  /// One to which nobody adds words.
  public CallRefusal completed() {
    return new CallRefusal(code, text, true);
  }

  public static CallRefusal notFound(String text) {
    return new CallRefusal(Status.Code.NOT_FOUND, text);
  }

  /// What Go's servers answer when an error has no code of its own: most of containerd's do not.
  public static CallRefusal unknown(String text) {
    return new CallRefusal(Status.Code.UNKNOWN, text);
  }

  public static CallRefusal invalid(String text) {
    return new CallRefusal(Status.Code.INVALID_ARGUMENT, text);
  }

  public static CallRefusal precondition(String text) {
    return new CallRefusal(Status.Code.FAILED_PRECONDITION, text);
  }

  /// The same with words before it, as Go wraps errors.
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
