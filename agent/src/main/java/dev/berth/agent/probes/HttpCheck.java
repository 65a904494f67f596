package dev.berth.agent.probes;

import dev.berth.agent.probes.ProbeResult.Failure;
import dev.berth.agent.probes.ProbeResult.Success;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;

/// A request that is answered with 200 to 399; a redirect to another host is an answer too.
final class HttpCheck {
  private static final int MOST_REDIRECTS = 10;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .sslContext(AnyCertificate.context())
          .build();

  ProbeResult make(Target target, HTTPGetAction action, Duration limit)
      throws InterruptedException {
    URI uri = uri(target, action);
    try {
      for (int i = 0; i < MOST_REDIRECTS; i++) {
        HttpResponse<Void> answer =
            client.send(request(uri, action, limit), HttpResponse.BodyHandlers.discarding());
        int code = answer.statusCode();
        if (code < 200 || code >= 400) {
          return new Failure("HTTP probe failed with statuscode: " + code);
        }
        URI next =
            code < 300 ? uri : uri.resolve(answer.headers().firstValue("location").orElse(""));
        if (code < 300 || !Objects.equals(next.getHost(), uri.getHost())) {
          return new Success();
        }
        uri = next;
      }
      return new Failure("stopped after %d redirects".formatted(MOST_REDIRECTS));
    } catch (IOException e) {
      return new Failure("Get \"%s\": %s".formatted(uri, reason(e)));
    }
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

  private static HttpRequest request(URI uri, HTTPGetAction action, Duration limit) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).timeout(limit).header("User-Agent", "kube-probe/1.32");
    action.getHttpHeaders().stream()
        // The client sets the host itself and lets nobody else.
        .filter(header -> !header.getName().equalsIgnoreCase("Host"))
        .forEach(header -> request.setHeader(header.getName(), header.getValue()));
    return request.build();
  }
}
