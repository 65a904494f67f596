package dev.berth.agent.pods.act;

import dev.berth.agent.pods.observed.Bell;
import dev.berth.client.Delays;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// Hooks that are requests to the container, or only take time.
public final class HookRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client;
  private final Delays delays;

  public HookRequests(HttpClient client, Delays delays) {
    this.client = client;
    this.delays = delays;
  }

  Optional<String> get(PodScene scene, Container container, HTTPGetAction action, Duration limit)
      throws InterruptedException {
    String asked = action.getHost();
    String host =
        asked == null || asked.isEmpty()
            ? scene.observed().usableSandbox().stream()
                .flatMap(sandbox -> sandbox.addresses().stream())
                .findFirst()
                .orElse("127.0.0.1")
            : asked;
    String scheme = "HTTPS".equals(action.getScheme()) ? "https" : "http";
    String path = Objects.requireNonNullElse(action.getPath(), "/");
    String bracketed = host.contains(":") ? "[" + host + "]" : host;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "%s://%s:%d%s%s"
                        .formatted(
                            scheme,
                            bracketed,
                            port(container, action.getPort()),
                            path.startsWith("/") ? "" : "/",
                            path)))
            .timeout(limit.isZero() ? PATIENCE : limit);
    action.getHttpHeaders().forEach(header -> request.header(header.getName(), header.getValue()));
    try {
      HttpResponse<Void> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.discarding());
      return answer.statusCode() < 400
          ? Optional.empty()
          : Optional.of("the hook's request was answered with " + answer.statusCode());
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of("the hook's request failed: " + e.getMessage());
    }
  }

  Optional<String> sleep(Duration time, Duration limit) throws InterruptedException {
    boolean cut = !limit.isZero() && limit.compareTo(time) < 0;
    new Bell().await(cut ? limit : time, delays);
    return Optional.empty();
  }

  private static int port(Container container, IntOrString port) {
    Integer number = port.getIntVal();
    if (number != null) {
      return number;
    }
    return container.getPorts().stream()
        .filter(one -> Objects.equals(one.getName(), port.getStrVal()))
        .map(ContainerPort::getContainerPort)
        .findFirst()
        .orElseGet(() -> Integer.parseInt(port.getStrVal()));
  }
}
