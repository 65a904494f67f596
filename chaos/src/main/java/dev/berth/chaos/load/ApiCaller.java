package dev.berth.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.history.RunLog;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;

/// A client of one API server that checks every answer: a server error in a calm period is a
/// violation. Any thread may call it. A request without an answer is no violation: a connection may
/// break at any time.
public final class ApiCaller implements AutoCloseable {
  static final ObjectMapper MAPPER = new ObjectMapper();

  /// Statuses of a server that is busy, too slow, or limits requests.
  private static final Set<Integer> ALLOWED_FAILURES = Set.of(429, 503, 504);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(15);

  private final BenchCredentials credentials;
  private final CalmPeriods calm;
  private final RunLog log;
  private final HttpClient http;

  /// A client that speaks HTTP/1.1: it gives up a connection whose answer does not come in time.
  public ApiCaller(BenchCredentials credentials, CalmPeriods calm, RunLog log) {
    this(credentials, HttpClient.Version.HTTP_1_1, calm, log);
  }

  /// @param version HTTP/2 goes on with its one connection after a request timed out, as clients
  ///   written in Go do
  public ApiCaller(
      BenchCredentials credentials, HttpClient.Version version, CalmPeriods calm, RunLog log) {
    this.credentials = credentials;
    this.calm = calm;
    this.log = log;
    this.http =
        HttpClient.newBuilder()
            .version(version)
            .connectTimeout(Duration.ofSeconds(5))
            .sslContext(credentials.tls())
            .build();
  }

  public ApiAnswer get(String path) {
    return send("GET", path, "", "");
  }

  public ApiAnswer post(String path, String json) {
    return send("POST", path, "application/json", json);
  }

  public ApiAnswer put(String path, String json) {
    return send("PUT", path, "application/json", json);
  }

  public ApiAnswer delete(String path) {
    return send("DELETE", path, "", "");
  }

  /// Creates or updates an object by server-side apply.
  public ApiAnswer apply(String path, String json) {
    return send(
        "PATCH", path + "?fieldManager=chaos&force=true", "application/apply-patch+yaml", json);
  }

  private ApiAnswer send(String method, String path, String contentType, String body) {
    // Before the request: a fault that begins afterwards excuses its answer.
    long mark = calm.mark();
    log.count("requests of good clients");
    try {
      HttpResponse<byte[]> response =
          http.send(request(method, path, contentType, body), BodyHandlers.ofByteArray());
      if (response.version() == HttpClient.Version.HTTP_2) {
        log.count("answers over HTTP/2");
      }
      ApiAnswer answer = new ApiAnswer(response.statusCode(), parse(response.body()), "");
      judge(method, path, answer, mark);
      return answer;
    } catch (IOException e) {
      log.count("requests without an answer");
      return ApiAnswer.none(e.toString());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ApiAnswer.none("interrupted");
    }
  }

  /// Opens a streamed answer. The caller closes it.
  InputStream stream(String path) throws IOException {
    try {
      HttpResponse<InputStream> response =
          http.send(request("GET", path, "", ""), BodyHandlers.ofInputStream());
      log.count("watches over " + response.version());
      if (response.statusCode() != 200) {
        response.body().close();
        throw new IOException("status " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private HttpRequest request(String method, String path, String contentType, String body) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(credentials.server().resolve(path))
            .timeout(ANSWER_LIMIT)
            .header("Accept", "application/json");
    if (!contentType.isEmpty()) {
      builder.header("Content-Type", contentType);
    }
    return builder
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
  }

  /// The answer as JSON; a missing node if it is none, such as the text of a proxy.
  private static JsonNode parse(byte[] body) {
    try {
      JsonNode node = MAPPER.readTree(body);
      return node == null ? MissingNode.getInstance() : node;
    } catch (IOException _) {
      return MissingNode.getInstance();
    }
  }

  /// Reports a server error, or a refused identity, that no fault excuses.
  private void judge(String method, String path, ApiAnswer answer, long mark) {
    if ((answer.status() == 401 || answer.status() == 403) && calm.wasCalmSince(mark)) {
      log.violation("answers", "%s %s: %s in a calm period".formatted(method, path, answer));
    }
    if (answer.status() < 500) {
      return;
    }
    log.count("server errors, of which most during faults");
    if (!ALLOWED_FAILURES.contains(answer.status()) && calm.wasCalmSince(mark)) {
      log.violation("answers", "%s %s: %s in a calm period".formatted(method, path, answer));
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
