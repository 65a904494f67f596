package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import org.jspecify.annotations.Nullable;

/// Why a connection is over.
record ConnectionEnd(FailureKind kind, Problem problem, @Nullable Throwable cause) {
  static ConnectionEnd hostile(String guest, RuntimeException violation) {
    return new ConnectionEnd(
        FailureKind.HOSTILE,
        new Problem(
            "the connection to guest %s is over".formatted(guest),
            "it broke the protocol: " + violation.getMessage(),
            "Delete the pod: its guest cannot be trusted"),
        violation);
  }

  static ConnectionEnd lost(String guest, Throwable cause) {
    return new ConnectionEnd(
        FailureKind.DISCONNECTED,
        new Problem(
            "the connection to guest %s is over".formatted(guest),
            cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage(),
            ""),
        cause);
  }

  static ConnectionEnd closed(String guest) {
    return new ConnectionEnd(
        FailureKind.DISCONNECTED,
        new Problem(
            "the connection to guest %s is over".formatted(guest), "this service closed it", ""),
        null);
  }

  /// New for each caller, so that its stack trace is the caller's.
  GuestException exception() {
    return cause == null
        ? new GuestException(kind, problem)
        : new GuestException(kind, problem, cause);
  }
}
