package dev.berth.agent.probes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// Sends the requests that containers want to have sent to them, for probes and for hooks; a
/// redirect is followed on the same host only.
public final class HttpGet {
  private static final int MOST_REDIRECTS = 10;

  private final String userAgent;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .sslContext(AnyCertificate.context())
          .build();

  public HttpGet(String userAgent) {
    this.userAgent = userAgent;
  }

  /// Answers the code.
  ///
  /// @param addresses the pod's
  /// @throws IllegalArgumentException when the action names nothing that could be asked
  public int send(List<String> addresses, Container container, HTTPGetAction action, Duration limit)
      throws IOException, InterruptedException {
    URI uri = uri(Target.of(addresses, container, action), action);
    try {
      for (int i = 0; i < MOST_REDIRECTS; i++) {
        HttpResponse<Void> answer =
            client.send(request(uri, action, limit), HttpResponse.BodyHandlers.discarding());
        int code = answer.statusCode();
        URI next =
            code / 100 != 3 ? uri : uri.resolve(answer.headers().firstValue("location").orElse(""));
        if (code / 100 != 3 || !Objects.equals(next.getHost(), uri.getHost())) {
          return code;
        }
        uri = next;
      }
    } catch (IOException e) {
      throw new IOException("Get \"%s\": %s".formatted(uri, reason(e)), e);
    }
    throw new IOException("stopped after %d redirects".formatted(MOST_REDIRECTS));
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static URI uri(Target target, HTTPGetAction action) {
    String scheme = "HTTPS".equals(action.getScheme()) ? "https" : "http";
    String path = Objects.requireNonNullElse(action.getPath(), "/");
    String slash = path.startsWith("/") ? "" : "/";
    return URI.create(scheme + "://" + target.authority() + slash + path);
  }

  private HttpRequest request(URI uri, HTTPGetAction action, Duration limit) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).timeout(limit).header("User-Agent", userAgent);
    action.getHttpHeaders().stream()
        // The client sets the host itself and lets nobody else.
        .filter(header -> !header.getName().equalsIgnoreCase("Host"))
        .forEach(header -> request.setHeader(header.getName(), header.getValue()));
    return request.build();
  }
}
