package dev.berth.agent.probes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HTTPHeader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/// Sends HTTP requests of probes and hooks; follows redirects on the same host only.
public final class HttpGet {
  /// Go's limit: the kubelet's client gives up after ten as well.
  private static final int MOST_REDIRECTS = 10;

  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private static final Set<String> ADDED = Set.of("user-agent", "accept", "host");

  private static final Pattern FORBIDDEN =
      Pattern.compile("[^!-~]|[\"<>\\\\^`{|}\\[\\]]|%(?![0-9A-Fa-f]{2})");

  private final String userAgent;

  public HttpGet(String userAgent) {
    this.userAgent = userAgent;
  }

  /// A response.
  ///
  /// @param body of a redirect that was not followed; empty for others
  public record Reply(int code, String body) {}

  /// Sends the request and follows redirects.
  ///
  /// @param addresses the pod's
  /// @throws IllegalArgumentException when the action has no valid target
  public Reply send(
      List<String> addresses, Container container, HTTPGetAction action, Duration limit)
      throws IOException, InterruptedException {
    URI uri = uri(ProbeTarget.of(addresses, container, action), action);
    try {
      for (int i = 0; i < MOST_REDIRECTS; i++) {
        SingleRequest.Answer answer = SingleRequest.send(uri, headers(uri, action), limit);
        if (!REDIRECTS.contains(answer.code()) || answer.location().isEmpty()) {
          return new Reply(answer.code(), answer.body());
        }
        URI next = uri.resolve(answer.location().get());
        if (!Objects.equals(next.getHost(), uri.getHost())) {
          return new Reply(answer.code(), answer.body());
        }
        uri = next;
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        // A socket read of an interrupted virtual thread fails with this exception.
        throw new InterruptedException();
      }
      throw new IOException("Get \"%s\": %s".formatted(uri, reason(uri, e)), e);
    }
    throw new IOException("stopped after %d redirects".formatted(MOST_REDIRECTS));
  }

  private static String reason(URI uri, IOException e) {
    return switch (e) {
      case SocketTimeoutException _ ->
          "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
      case ConnectException _ ->
          "dial tcp %s: connect: connection refused".formatted(uri.getAuthority());
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }

  private static URI uri(ProbeTarget target, HTTPGetAction action) {
    String scheme = "HTTPS".equals(action.getScheme()) ? "https" : "http";
    String path = Objects.requireNonNullElse(action.getPath(), "/");
    String slash = path.startsWith("/") ? "" : "/";
    return URI.create(scheme + "://" + target.authority() + slash + escaped(path));
  }

  /// Percent-encodes bytes that a URI must not contain; existing escapes stay.
  private static String escaped(String path) {
    return FORBIDDEN
        .matcher(path)
        .replaceAll(
            found ->
                HexFormat.of()
                    .withPrefix("%")
                    .withUpperCase()
                    .formatHex(found.group().getBytes(StandardCharsets.UTF_8)));
  }

  /// The action's headers override ours, also the Host header. An empty value removes a default
  /// header.
  private List<HTTPHeader> headers(URI uri, HTTPGetAction action) {
    List<HTTPHeader> headers = new ArrayList<>(action.getHttpHeaders());
    addUnlessGiven(headers, "User-Agent", userAgent);
    addUnlessGiven(headers, "Accept", "*/*");
    headers.removeIf(HttpGet::isUnwanted);
    addUnlessGiven(headers, "Host", uri.getAuthority());
    return headers;
  }

  private static boolean isUnwanted(HTTPHeader header) {
    return ADDED.contains(header.getName().toLowerCase(Locale.ROOT))
        && (header.getValue() == null || header.getValue().isEmpty());
  }

  private static void addUnlessGiven(List<HTTPHeader> headers, String name, String value) {
    if (headers.stream().noneMatch(header -> header.getName().equalsIgnoreCase(name))) {
      headers.addFirst(new HTTPHeader(name, value));
    }
  }
}
