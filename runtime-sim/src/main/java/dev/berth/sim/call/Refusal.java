package dev.berth.sim.call;

import io.grpc.Status;

/// An answer that is an error; its code and words are the contract's.
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final String text;
  private final boolean complete;

  public Refusal(Status.Code code, String text) {
    this(code, text, false);
  }

  private Refusal(Status.Code code, String text, boolean complete) {
    super(text, null, false, false);
    this.code = code;
    this.text = text;
    this.complete = complete;
  }

  /// One to which nobody adds words.
  public Refusal completed() {
    return new Refusal(code, text, true);
  }

  public static Refusal notFound(String text) {
    return new Refusal(Status.Code.NOT_FOUND, text);
  }

  /// What Go's servers answer when an error has no code of its own: most of containerd's do not.
  public static Refusal unknown(String text) {
    return new Refusal(Status.Code.UNKNOWN, text);
  }

  public static Refusal invalid(String text) {
    return new Refusal(Status.Code.INVALID_ARGUMENT, text);
  }

  public static Refusal precondition(String text) {
    return new Refusal(Status.Code.FAILED_PRECONDITION, text);
  }

  /// The same with words before it, as Go wraps errors.
  public Refusal in(String context) {
    return complete ? this : new Refusal(code, context + ": " + text);
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
