package dev.berth.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Requests over HTTP with the credentials of a [ClientConfig]; all share a few connections.
///
/// HTTP/2 carries all requests and watches over few connections. The library's own repetition of
/// requests is switched off, see [ClientConfig].
final class HttpTransport implements ApiTransport {
  private final String server;
  private final ClientConfig config;
  private final VirtualThreadHttpFactory factory = new VirtualThreadHttpFactory();
  private final HttpClient http;

  HttpTransport(ClientConfig config) {
    this.config = config;
    this.server = config.server().toString();
    this.http = open(config, factory);
  }

  private static HttpClient open(ClientConfig clientConfig, VirtualThreadHttpFactory factory) {
    Config config = clientConfig.fabric8();
    HttpClient.Builder builder = factory.newBuilder();
    builder.connectTimeout(clientConfig.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    builder.sslContext(ClientTls.identity(config), ClientTls.trust(config));
    // With its default limits the library repeats every failed request ten times, creates too, and
    // reports only after half a minute that the server does not answer.
    builder.tag(config.getRequestConfig());
    var interceptors = HttpClientUtils.createApplicableInterceptors(config, factory);
    if (clientConfig.isByCertificate()) {
      // The library's token refresh is off: without a token it reads the kubeconfig before each
      // request.
      interceptors.remove(TokenRefreshInterceptor.NAME);
    }
    interceptors.forEach(builder::addOrReplaceInterceptor);
    return builder.build();
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    CompletableFuture<HttpResponse<InputStream>> answer =
        http.sendAsync(translate(request), InputStream.class);
    try {
      HttpResponse<InputStream> head =
          answer.get(config.answerTimeout().toMillis(), TimeUnit.MILLISECONDS);
      InputStream body = new ResponseBody(head.body());
      return new ApiResponse(
          head.code(), request.isStreaming() ? body : new GuardedBody(body, config.bodyTimeout()));
    } catch (InterruptedException e) {
      abandon(answer);
      Thread.currentThread().interrupt();
      throw new NoAnswerException(request + ": interrupted", e);
    } catch (TimeoutException e) {
      abandon(answer);
      throw new NoAnswerException(
          "%s: no answer from %s within %s".formatted(request, server, config.answerTimeout()), e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new NoAnswerException(
          "%s: no answer from %s: %s".formatted(request, server, describe(cause)), cause);
    }
  }

  private HttpRequest translate(ApiRequest request) {
    HttpRequest.Builder builder = http.newHttpRequestBuilder().uri(server + request.target());
    builder.header("Accept", request.accept());
    if (request.isStreaming()) {
      builder.forStreaming();
    }
    if (request.contentType().isEmpty()) {
      builder.method(request.method(), null, null);
    } else {
      // Not as a stream: the HTTP client sends a body twice when a connection is closing.
      String body = new String(request.body(), StandardCharsets.UTF_8);
      builder.method(request.method(), request.contentType(), body);
    }
    return builder.build();
  }

  private static void abandon(CompletableFuture<HttpResponse<InputStream>> answer) {
    // An answer that arrives after the timeout must be closed; otherwise its connection is never
    // reused.
    var _ = answer.thenAccept(late -> new ApiResponse(late.code(), late.body()).close());
    answer.cancel(true);
  }

  private static String describe(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  @Override
  public void close() {
    http.close();
    factory.close();
  }
}
