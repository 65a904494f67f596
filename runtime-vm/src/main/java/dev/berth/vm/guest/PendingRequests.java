package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.ProtocolViolation;
import dev.berth.vm.guest.wire.WireFrame;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Sends requests and gives each answer to whoever waits for it.
final class PendingRequests {
  /// As many as the guest takes. A request whose caller gave up still counts until its answer.
  static final int MAXIMUM = 64;

  private final FrameQueue queue;
  private final String guest;
  private final Duration limit;
  private final Semaphore free = new Semaphore(MAXIMUM);
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, PendingRequest> pending = new ConcurrentHashMap<>();

  private volatile @Nullable ConnectionEnd end;

  /// The request whose answer comes in several frames, and what came; for the reading thread.
  private @Nullable PendingRequest answered;

  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

  PendingRequests(FrameQueue queue, String guest, Duration limit) {
    this.queue = queue;
    this.guest = guest;
    this.limit = limit;
  }

  /// Sends a request and waits for its result.
  BodyReader call(GuestRequest request) {
    try {
      return call(request, System.nanoTime() + limit.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure(request, "this service stopped waiting for guest %s".formatted(guest), "");
    }
  }

  private BodyReader call(GuestRequest request, long deadline) throws InterruptedException {
    failIfOver();
    if (!free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      failIfOver();
      throw failure(
          request,
          "guest %s has %d requests that it did not answer".formatted(guest, MAXIMUM),
          "Delete the pod if this does not change");
    }
    PendingRequest sent = new PendingRequest(request, nextId());
    pending.put(sent.id(), sent);
    // Whoever ends the connection fails those that are in the map, and later ones see the end here.
    ConnectionEnd reason = end;
    if (reason != null) {
      sent.end(reason);
    }
    byte[] frames = WireFrame.encode(FrameType.REQUEST, sent.id(), request.body().toBytes());
    if (!put(sent, frames, deadline)) {
      throw failure(request, "guest %s did not read for %s".formatted(guest, limit), "");
    }
    return sent.await(deadline).orElseThrow(() -> timeout(request));
  }

  private boolean put(PendingRequest sent, byte[] frames, long deadline)
      throws InterruptedException {
    boolean done = false;
    try {
      done = queue.put(frames, deadline);
      return done;
    } finally {
      if (!done) {
        pending.remove(sent.id());
        free.release();
      }
    }
  }

  private int nextId() {
    int id = ids.incrementAndGet();
    if (id <= 0) {
      throw new IllegalStateException("more than 2^31 requests to guest " + guest);
    }
    return id;
  }

  private void failIfOver() {
    ConnectionEnd reason = end;
    if (reason != null) {
      throw reason.exception();
    }
  }

  /// Takes a frame of an answer.
  void answer(WireFrame frame) {
    PendingRequest request = pending.get(frame.id());
    if (request == null) {
      throw new ProtocolViolation(
          "an answer to request %s, which nobody sent or which was answered before"
              .formatted(Integer.toUnsignedString(frame.id())));
    }
    if (answered != null && answered != request) {
      throw new ProtocolViolation("an answer within another answer");
    }
    if (answer.size() + frame.payload().length > request.request().answerBytes()) {
      throw new ProtocolViolation(
          "an answer to %s of more than %d bytes"
              .formatted(request.request().operation(), request.request().answerBytes()));
    }
    answer.writeBytes(frame.payload());
    answered = request;
    if (!frame.more()) {
      byte[] body = answer.toByteArray();
      answered = null;
      answer.reset();
      request.answer(body);
      // Not before: whoever ends the connection fails those that are in the map.
      pending.remove(frame.id());
      free.release();
    }
  }

  /// Whether a channel of this id can ever have been opened.
  boolean wasSent(int id) {
    return id > 0 && id <= ids.get();
  }

  void end(ConnectionEnd reason) {
    end = reason;
    pending.values().forEach(request -> request.end(reason));
    free.release(MAXIMUM);
  }

  private GuestException timeout(GuestRequest request) {
    return failure(
        request,
        "guest %s did not answer %s within %s".formatted(guest, request.operation(), limit),
        "The request may still be carried out");
  }

  private static GuestException failure(GuestRequest request, String why, String remedy) {
    return new GuestException(FailureKind.TIMEOUT, new Problem(request.failure(), why, remedy));
  }

  /// The end of the connection, once it is over.
  Optional<ConnectionEnd> ended() {
    return Optional.ofNullable(end);
  }
}
