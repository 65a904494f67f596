package dev.berth.server.http;

import dev.berth.server.auth.AccessRequest;
import dev.berth.server.auth.Authorizer;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.Status;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Every request, from the first byte to the last: who is it, may they, what do they get.
public final class ApiHandler extends Handler.Abstract.NonBlocking {
  private static final Logger log = LoggerFactory.getLogger(ApiHandler.class);

  private final Identification identification;
  private final Authorizer authorizer;
  private final Endpoints endpoints;
  private final ReviewDispatcher reviews;
  private final ResourceDispatcher resources;
  private final AnswerWriter answers;
  private final RequestMetrics metrics;
  private final OpenStreams streams;
  private final ThreadFactory threads = Thread.ofVirtual().name("request-", 0).factory();

  ApiHandler(
      Identification identification,
      Authorizer authorizer,
      Endpoints endpoints,
      ReviewDispatcher reviews,
      ResourceDispatcher resources,
      AnswerWriter answers,
      RequestMetrics metrics,
      OpenStreams streams) {
    this.identification = identification;
    this.authorizer = authorizer;
    this.endpoints = endpoints;
    this.reviews = reviews;
    this.resources = resources;
    this.answers = answers;
    this.metrics = metrics;
    this.streams = streams;
  }

  /// Each request gets a virtual thread of its own. Jetty would often run it in the thread that
  /// reads the connection, and on HTTP/2 a watch would then now and then hold up the other streams
  /// of its connection.
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    threads.newThread(() -> run(request, response, callback)).start();
    return true;
  }

  private void run(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response);
    RequestInfo info =
        RequestInfo.parse(exchange.method(), exchange.path(), exchange.query().flag("watch"));
    RequestMetrics.Measurement measurement = metrics.start(info, System.nanoTime());
    try {
      serve(exchange, info);
      callback.succeeded();
    } catch (ApiException e) {
      refuse(exchange, e.status(), callback);
    } catch (IOException e) {
      // The client went away or stalled; there is nobody to tell.
      log.debug("request ended early path={} why={}", exchange.path(), e.getMessage());
      callback.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      callback.succeeded();
    } catch (RuntimeException | StackOverflowError e) {
      log.error("request failed method={} path={}", exchange.method(), exchange.path(), e);
      refuse(
          exchange,
          ApiException.internal("the server failed on this request, see its log").status(),
          callback);
    } finally {
      measurement.end(response.getStatus(), System.nanoTime());
    }
  }

  private void serve(Exchange exchange, RequestInfo info) throws IOException, InterruptedException {
    UserInfo user = identification.identify(exchange);
    authorizer.check(accessRequest(exchange, info, user));
    if (!info.isResource()) {
      endpoints.serve(exchange);
    } else if (!reviews.isKnownGroup(info.group())) {
      Endpoints.notFound(exchange);
    } else if (reviews.isReview(info)) {
      reviews.dispatch(exchange, info, user);
    } else if (info.verb().equals("watch")) {
      streams.run(() -> resources.dispatch(exchange, info, user));
    } else {
      resources.dispatch(exchange, info, user);
    }
  }

  private static AccessRequest accessRequest(Exchange exchange, RequestInfo info, UserInfo user) {
    AccessRequest.Target target =
        info.isResource()
            ? new AccessRequest.Target.Resource(
                info.group(),
                info.version(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name(),
                exchange.query().first("fieldSelector"))
            : new AccessRequest.Target.Path(info.path());
    return new AccessRequest(user, info.verb(), target);
  }

  private void refuse(Exchange exchange, Status status, Callback callback) {
    try {
      if (exchange.response().isCommitted()) {
        callback.failed(new IOException(status.message()));
        return;
      }
      exchange.drain();
      answers.writeStatus(exchange, errorFormat(exchange), status);
      callback.succeeded();
    } catch (IOException e) {
      callback.failed(e);
    }
  }

  /// A Status stays a Status: tables and partial metadata are only for objects.
  private static Wanted errorFormat(Exchange exchange) {
    try {
      Wanted wanted = Wanted.parse(exchange.header(HttpHeader.ACCEPT));
      return new Wanted(wanted.format(), Wanted.As.OBJECT, "");
    } catch (ApiException e) {
      return Wanted.JSON;
    }
  }
}
