package dev.berth.registry.transport;

import dev.berth.registry.transport.BoundedBody.SinkException;
import dev.berth.registry.transport.BoundedBody.TooLargeException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Sends one request and reads its answer, never longer than the budget, never more than the sink
/// takes, and not beyond a stall. An interrupt ends it at once.
final class HttpExchanger {
  private static final int SUCCESS = 200;

  private final HttpClient http;
  private final TransportLimits limits;

  HttpExchanger(HttpClient http, TransportLimits limits) {
    this.http = http;
    this.limits = limits;
  }

  /// Any status is an answer; the sink only gets the body of a success.
  HttpResponse<Boolean> send(HttpRequest request, BodySink sink, TimeBudget budget) {
    AtomicLong progress = new AtomicLong();
    CompletableFuture<HttpResponse<Boolean>> answer = begin(request, sink, progress);
    try {
      return await(answer, progress, budget, request.uri().getRawAuthority());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException(
          FailureKind.CANCELLED, "the request to %s was cancelled".formatted(host(request)), e);
    } catch (ExecutionException e) {
      throw failure(host(request), sink, e.getCause() == null ? e : e.getCause());
    } finally {
      // Closes the connection when the answer is not complete.
      answer.cancel(true);
    }
  }

  private CompletableFuture<HttpResponse<Boolean>> begin(
      HttpRequest request, BodySink sink, AtomicLong progress) {
    try {
      return http.sendAsync(request, info -> body(info, sink, progress));
    } catch (RejectedExecutionException e) {
      // The JDK's client reports a close either so or as a broken connection, depending on the
      // moment.
      throw new TransportException(
          FailureKind.UNREACHABLE,
          "the client is closed, so registry %s is not asked".formatted(host(request)),
          e);
    }
  }

  private static BoundedBody body(ResponseInfo info, BodySink sink, AtomicLong progress) {
    progress.incrementAndGet();
    return info.statusCode() == SUCCESS
        ? BoundedBody.whole(
            sink, info.headers().firstValueAsLong("Content-Length").orElse(-1), progress)
        : BoundedBody.beginning(progress);
  }

  private HttpResponse<Boolean> await(
      CompletableFuture<HttpResponse<Boolean>> answer,
      AtomicLong progress,
      TimeBudget budget,
      String host)
      throws InterruptedException, ExecutionException {
    while (true) {
      long before = progress.get();
      Duration left = budget.remaining();
      Duration window = left.compareTo(limits.stall()) < 0 ? left : limits.stall();
      try {
        return answer.get(window.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException _) {
        if (budget.isOver()) {
          throw new TransportException(
              FailureKind.TIMED_OUT,
              "registry %s did not complete its answer within %s"
                  .formatted(host, text(budget.total())));
        }
        if (progress.get() == before) {
          throw new TransportException(
              FailureKind.TIMED_OUT,
              "registry %s sent nothing for %s".formatted(host, text(limits.stall())));
        }
      }
    }
  }

  private TransportException failure(String host, BodySink sink, Throwable cause) {
    if (find(cause, TooLargeException.class) != null) {
      return new TransportException(
          FailureKind.TOO_LARGE,
          "registry %s sends more than %d bytes".formatted(host, sink.limit()),
          cause);
    }
    if (find(cause, SinkException.class) != null) {
      return new TransportException(
          FailureKind.LOCAL_ERROR,
          "what registry %s sends cannot be kept: %s".formatted(host, reason(cause)),
          cause);
    }
    if (cause instanceof HttpConnectTimeoutException) {
      return new TransportException(
          FailureKind.UNREACHABLE,
          "registry %s did not accept a connection within %s"
              .formatted(host, text(limits.connect())),
          cause);
    }
    if (find(cause, UnresolvedAddressException.class) != null
        || find(cause, UnknownHostException.class) != null) {
      return new TransportException(
          FailureKind.UNREACHABLE, "the name of registry %s has no address".formatted(host), cause);
    }
    if (cause instanceof ConnectException) {
      return new TransportException(
          FailureKind.UNREACHABLE,
          "registry %s does not accept connections: %s".formatted(host, reason(cause)),
          cause);
    }
    if (find(cause, SSLException.class) != null) {
      return new TransportException(
          FailureKind.UNTRUSTED,
          "TLS with registry %s fails: %s".formatted(host, reason(cause)),
          cause);
    }
    return TransportException.passing(
        FailureKind.UNREACHABLE,
        "the connection to registry %s broke: %s".formatted(host, reason(cause)),
        cause);
  }

  private static <T extends Throwable> @Nullable T find(Throwable start, Class<T> type) {
    Throwable cause = start;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
      cause = cause.getCause();
    }
    return null;
  }

  private static String host(HttpRequest request) {
    return request.uri().getRawAuthority();
  }

  private static String reason(Throwable cause) {
    Throwable root = cause;
    for (int depth = 0;
        root.getMessage() == null && root.getCause() != null && depth < 10;
        depth++) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return message == null ? root.getClass().getSimpleName() : message;
  }

  static String text(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
