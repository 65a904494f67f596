package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.ProtocolViolation;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A request that the guest has not answered yet, with or without somebody who waits.
final class PendingRequest {
  private static final int TEXT_BYTES = 8 << 10;
  private static final FailureKind[] KINDS = {
    FailureKind.NOT_FOUND,
    FailureKind.EXISTS,
    FailureKind.INVALID,
    FailureKind.WRONG_STATE,
    FailureKind.FAILED
  };

  private final GuestRequest request;
  private final int id;

  /// Cancelled when the caller gave up.
  private final CompletableFuture<BodyReader> result = new CompletableFuture<>();

  PendingRequest(GuestRequest request, int id) {
    this.request = request;
    this.id = id;
  }

  GuestRequest request() {
    return request;
  }

  int id() {
    return id;
  }

  /// Takes the answer. The hook runs before the caller goes on, and also when nobody waits.
  void answer(byte[] bytes) {
    BodyReader body = new BodyReader(bytes);
    int status = body.oneOf(body.u8(), KINDS.length);
    if (status == 0) {
      // Nobody gives up between the two calls unnoticed: `giveUp` takes the same lock.
      synchronized (this) {
        request.hook().succeeded(id, !result.isDone());
        result.complete(body);
      }
    } else {
      result.completeExceptionally(refusal(KINDS[status - 1], body));
    }
  }

  private GuestException refusal(FailureKind kind, BodyReader body) {
    Problem problem = new Problem(request.failure(), body.text(TEXT_BYTES), body.text(TEXT_BYTES));
    body.end();
    return new GuestException(kind, problem);
  }

  void end(ConnectionEnd reason) {
    result.completeExceptionally(reason.exception());
  }

  /// The result, or empty at the deadline, after which nobody waits.
  Optional<BodyReader> await(long deadline) throws InterruptedException {
    try {
      return Optional.of(result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return giveUp() ? Optional.empty() : await(deadline);
    } catch (InterruptedException e) {
      if (giveUp()) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return await(deadline);
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private synchronized boolean giveUp() {
    return result.cancel(false);
  }

  private static RuntimeException failure(ExecutionException e) {
    return switch (e.getCause()) {
      case GuestException refused -> new GuestException(refused.kind(), refused.problem(), refused);
      case ProtocolViolation violation -> violation;
      case null, default -> new IllegalStateException(e);
    };
  }
}
