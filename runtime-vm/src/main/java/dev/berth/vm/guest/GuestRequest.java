package dev.berth.vm.guest;

import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.GuestOperation;

/// One request.
///
/// @param failure what a refusal means, such as "container a cannot be started"
/// @param body with the operation before it
/// @param answerBytes the longest answer that is accepted
/// @param hook what follows a success at once
record GuestRequest(
    GuestOperation operation, String failure, BodyWriter body, int answerBytes, AnswerHook hook) {

  static GuestRequest of(GuestOperation operation, String failure) {
    return new GuestRequest(
        operation,
        failure,
        new BodyWriter().u8(operation.code()),
        operation.answerBytes(),
        (_, _) -> {});
  }

  GuestRequest withAnswer(int bytes) {
    return new GuestRequest(operation, failure, body, operation.answerBytes() + bytes, hook);
  }

  GuestRequest withHook(AnswerHook then) {
    return new GuestRequest(operation, failure, body, answerBytes, then);
  }

  /// Called by the thread that reads, before the next frame is read.
  @FunctionalInterface
  interface AnswerHook {
    /// Acts on a success.
    ///
    /// @param awaited false when the caller gave up before
    void succeeded(int id, boolean awaited);
  }
}
