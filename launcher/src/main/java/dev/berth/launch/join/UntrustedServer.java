package dev.berth.launch.join;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads a document of a server that is not trusted yet. It may send anything, any amount of it and
/// as slowly as it likes, so that time and size are bounded.
final class UntrustedServer {
  /// A ConfigMap has a megabyte at most.
  private static final long LONGEST_ANSWER = 2L << 20;

  private final Duration limit;

  /// @param limit for connection, answer and body together
  UntrustedServer(Duration limit) {
    this.limit = limit;
  }

  HttpResponse<String> get(URI address)
      throws IOException, GeneralSecurityException, InterruptedException {
    HttpClient http =
        HttpClient.newBuilder()
            .sslContext(PinnedAuthority.anyServer())
            .connectTimeout(limit)
            .build();
    try {
      // The timeout of a request ends with the head of the answer, so it does not bound the body.
      CompletableFuture<HttpResponse<String>> answer =
          http.sendAsync(
              HttpRequest.newBuilder(address).timeout(limit).build(),
              BodyHandlers.limiting(BodyHandlers.ofString(), LONGEST_ANSWER));
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      throw new HttpTimeoutException("no complete answer within %d s".formatted(limit.toSeconds()));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      // `close` would wait for the answer.
      http.shutdownNow();
    }
  }
}
