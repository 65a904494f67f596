package dev.berth.sim.registry;

import dev.berth.sim.call.CallRefusal;
import dev.berth.sim.images.RegistryHost;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.Optional;

/// Gets what a registry has: answers a challenge, follows redirects, and reads no more of a
/// document than it may have.
final class RegistryTransfer {
  /// containerd takes manifests and configurations up to this size.
  private static final int LARGEST = 8 * 1024 * 1024;

  private static final int REDIRECTS = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient http;
  private final RegistryAuthorization authorization;

  RegistryTransfer(HttpClient http, RegistryAuthorization authorization) {
    this.http = http;
    this.authorization = authorization;
  }

  /// A document, which is read as a whole.
  HttpResponse<byte[]> get(URI uri, String accept) {
    return get(uri, accept, _ -> limited());
  }

  /// Anything, which is read as the handler does it.
  <T> HttpResponse<T> get(URI uri, String accept, BodyHandler<T> handler) {
    HttpResponse<T> response = follow(uri, accept, handler);
    if (response.statusCode() == 401
        && authorization.answer(response.headers().allValues("WWW-Authenticate"), this::token)) {
      response = follow(uri, accept, handler);
    }
    return response;
  }

  /// A redirect leads to a store of blobs, which must not see the credentials of the registry.
  private <T> HttpResponse<T> follow(URI start, String accept, BodyHandler<T> handler) {
    URI uri = start;
    for (int i = 0; i <= REDIRECTS; i++) {
      boolean same = uri.getAuthority().equals(start.getAuthority());
      HttpResponse<T> response =
          send(uri, accept, same ? authorization.header() : Optional.empty(), handler);
      Optional<String> location = response.headers().firstValue("Location");
      if (response.statusCode() / 100 != 3 || location.isEmpty()) {
        return response;
      }
      uri = target(uri, location.get());
      if (!RegistryHost.isPrivate(uri)) {
        throw CallRefusal.unknown(
            "failed to do request: Get \"%s\": redirected to %s, which is neither https nor this machine"
                .formatted(start, uri));
      }
    }
    throw CallRefusal.unknown(
        "failed to do request: Get \"%s\": stopped after %d redirects".formatted(start, REDIRECTS));
  }

  private static URI target(URI from, String location) {
    try {
      return from.resolve(location);
    } catch (IllegalArgumentException _) {
      throw CallRefusal.unknown(
          "failed to do request: Get \"%s\": redirected to no address".formatted(from));
    }
  }

  private byte[] token(URI uri, Optional<String> header) {
    HttpResponse<byte[]> response = send(uri, "application/json", header, _ -> limited());
    if (response.statusCode() != 200) {
      throw CallRefusal.unknown(
          "failed to authorize: failed to fetch anonymous token: unexpected status: %d"
              .formatted(response.statusCode())
              .replace("anonymous", header.isPresent() ? "oauth" : "anonymous"));
    }
    return response.body();
  }

  private <T> HttpResponse<T> send(
      URI uri, String accept, Optional<String> header, BodyHandler<T> handler) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).timeout(PATIENCE).header("Accept", accept);
    header.ifPresent(value -> request.header("Authorization", value));
    try {
      return http.send(request.build(), handler);
    } catch (IOException e) {
      throw CallRefusal.unknown("failed to do request: Get \"%s\": %s".formatted(uri, reason(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallRefusal(io.grpc.Status.Code.CANCELLED, "context canceled");
    }
  }

  private static HttpResponse.BodySubscriber<byte[]> limited() {
    return HttpResponse.BodySubscribers.limiting(
        HttpResponse.BodySubscribers.ofByteArray(), LARGEST);
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
