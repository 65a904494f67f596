package dev.berth.server.http;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.http.encoding.AnswerWriter;
import dev.berth.server.http.encoding.NegotiatedFormat;
import dev.berth.server.http.endpoints.CustomDefinitions;
import dev.berth.server.http.endpoints.NonResourcePaths;
import dev.berth.server.http.guard.RequestGuard;
import dev.berth.server.http.guard.RequestMetrics;
import dev.berth.server.http.routing.MetricsDispatcher;
import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.http.routing.ResourceDispatcher;
import dev.berth.server.http.routing.ReviewDispatcher;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.OpenStreams;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WriteBacklog;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles every request: guard, dispatch, answer, metrics and failures.
///
/// Each request ends in exactly one way: an answer, a refusal as a Status, or the abortion of the
/// connection or stream when the answer has already begun. Metrics and audit are completed in every
/// case. Jetty's threads never block here.
public final class ApiHandler extends Handler.Abstract.NonBlocking {
  private static final Logger log = LoggerFactory.getLogger(ApiHandler.class);

  private final RequestGuard requestGuard;
  private final NonResourcePaths endpoints;
  private final ReviewDispatcher reviews;
  private final MetricsDispatcher measurements;
  private final ResourceDispatcher resources;
  private final AnswerWriter answers;
  private final RequestMetrics metrics;
  private final OpenStreams streams;
  private final HttpLimits limits;
  private final boolean isShared;
  private final WriteBacklog backlog;
  private final ThreadFactory threads = Thread.ofVirtual().name("request-", 0).factory();

  ApiHandler(
      RequestGuard requestGuard,
      NonResourcePaths endpoints,
      ReviewDispatcher reviews,
      MetricsDispatcher measurements,
      ResourceDispatcher resources,
      AnswerWriter answers,
      RequestMetrics metrics,
      OpenStreams streams,
      HttpLimits limits,
      boolean isShared) {
    this.requestGuard = requestGuard;
    this.endpoints = endpoints;
    this.reviews = reviews;
    this.measurements = measurements;
    this.resources = resources;
    this.answers = answers;
    this.metrics = metrics;
    this.streams = streams;
    this.limits = limits;
    this.isShared = isShared;
    this.backlog = new WriteBacklog(limits.backlog());
  }

  /// Jetty's thread answers a quick request itself. Every other request gets a virtual thread of
  /// its own: Jetty often runs a request in the thread that reads the connection, and on HTTP/2 a
  /// watch would then block the other streams of its connection.
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    ServerExchange exchange = new ServerExchange(request, response, callback, limits, backlog);
    RequestInfo info =
        RequestInfo.parse(exchange.method(), exchange.path(), exchange.query().flag("watch"));
    if (isQuick(exchange, info)) {
      run(exchange, info, false);
    } else {
      threads.newThread(() -> safely(exchange, () -> run(exchange, info, true))).start();
    }
    return true;
  }

  /// A quick request reads a single object from memory and waits neither for a body, the store nor
  /// the client. With a store that other servers write to, the newest object may have to be waited
  /// for.
  private boolean isQuick(ServerExchange exchange, RequestInfo info) {
    return !isShared
        && info.verb().equals("get")
        && info.isResource()
        && info.subresource().isEmpty()
        && !MetricsDispatcher.isMetric(info)
        && exchange.request().getLength() <= 0
        && exchange.request().getHttpURI().getQuery() == null;
  }

  /// A request that is never completed would hold its connection for ever.
  @SuppressWarnings("CatchingUnchecked") // The top of a thread.
  private static void safely(ServerExchange exchange, Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      log.error("request failed method={} path={}", exchange.method(), exchange.path(), e);
      exchange.abort(e);
    }
  }

  /// Serves a request when flow control lets it in.
  ///
  /// @param mayWait whether this thread may wait; otherwise a request that must wait gets a thread
  ///   of its own
  private void run(ServerExchange exchange, RequestInfo info, boolean mayWait) {
    RequestMetrics.Measurement measurement = metrics.start(info, System.nanoTime());
    Step serve =
        () -> {
          RequestGuard.Passed passed = requestGuard.pass(exchange, info, measurement);
          if (mayWait || !passed.entrance().mustWait()) {
            serve(exchange, info, requestGuard.admit(exchange, info, passed, measurement));
            return true;
          }
          Step later =
              () -> {
                serve(exchange, info, requestGuard.admit(exchange, info, passed, measurement));
                return true;
              };
          threads
              .newThread(() -> safely(exchange, () -> complete(exchange, measurement, later)))
              .start();
          return false;
        };
    complete(exchange, measurement, serve);
  }

  /// A step of serving a request.
  @FunctionalInterface
  private interface Step {
    /// Runs the next step of the request.
    ///
    /// @return false when another thread continues
    boolean run() throws IOException, InterruptedException;
  }

  private void complete(
      ServerExchange exchange, RequestMetrics.Measurement measurement, Step step) {
    boolean isComplete = true;
    try {
      isComplete = step.run();
      if (isComplete) {
        exchange.end();
      }
    } catch (ApiException e) {
      if (exchange.isBodyLate()) {
        measurement.terminated(e.status().code());
      }
      refuse(exchange, e.status());
    } catch (IOException e) {
      // The client disconnected or stalled, so no answer can be sent.
      log.debug("request ended early path={} reason={}", exchange.path(), e.getMessage());
      exchange.abort(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exchange.end();
    } catch (RuntimeException | StackOverflowError e) {
      // A stack overflow by a deeply nested object is an error of this request and not of the
      // server.
      log.error("request failed method={} path={}", exchange.method(), exchange.path(), e);
      exchange.audit().failed(e);
      refuse(
          exchange,
          ApiException.internal("the server failed on this request, see its log").status());
    } finally {
      if (isComplete) {
        exchange.audit().complete();
        measurement.end(exchange.code(), System.nanoTime());
      }
    }
  }

  private void serve(ServerExchange exchange, RequestInfo info, UserInfo user)
      throws IOException, InterruptedException {
    if (!info.isResource()) {
      endpoints.serve(exchange, user);
    } else if (MetricsDispatcher.isMetric(info)) {
      measurements.dispatch(exchange, info);
    } else if (CustomDefinitions.areListed(info)) {
      CustomDefinitions.list(exchange);
    } else if (!reviews.isKnownGroup(info.group())) {
      NonResourcePaths.notFound(exchange);
    } else if (reviews.isReview(info)) {
      reviews.dispatch(exchange, info, user);
    } else if (info.verb().equals("watch")) {
      streams.run(() -> resources.dispatch(exchange, info, user));
    } else {
      resources.dispatch(exchange, info, user);
    }
  }

  private void refuse(ServerExchange exchange, ApiStatus status) {
    if (exchange.hasStarted()) {
      exchange.abort(new IOException(status.message()));
      return;
    }
    try {
      // A refused request returns its seats before its body is drained and the client reads the
      // answer, which may take long.
      exchange.leave();
      exchange.drain();
      answers.writeStatus(exchange, errorFormat(exchange), status);
      exchange.end();
    } catch (IOException | ApiException e) {
      exchange.abort(e);
    }
  }

  /// A Status is never converted: tables and partial metadata exist for objects only.
  private static NegotiatedFormat errorFormat(ServerExchange exchange) {
    try {
      NegotiatedFormat wanted = NegotiatedFormat.parse(exchange.header(HttpHeader.ACCEPT));
      return new NegotiatedFormat(wanted.format(), NegotiatedFormat.As.OBJECT, "");
    } catch (ApiException e) {
      return NegotiatedFormat.JSON;
    }
  }
}
