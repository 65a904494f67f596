package dev.berth.launch.connection;

import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResponse;
import dev.berth.client.ApiTransport;
import dev.berth.client.NoAnswerException;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// Counts the requests to an API server, under upstream's name and with its labels.
final class RequestCounter implements ApiTransport {
  /// Upstream's code for a request without an answer.
  private static final String NO_ANSWER = "<error>";

  private final ApiTransport inner;
  private final String host;
  private final Counter requests;

  /// @param host the server's host with its port
  RequestCounter(ApiTransport inner, String host, PrometheusRegistry registry) {
    this.inner = inner;
    this.host = host;
    this.requests =
        Counter.builder()
            .name("rest_client_requests_total")
            .help("Number of HTTP requests, partitioned by status code, method, and host.")
            .labelNames("code", "host", "method")
            .register(registry);
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    try {
      ApiResponse response = inner.send(request);
      count(Integer.toString(response.status()), request);
      return response;
    } catch (NoAnswerException e) {
      count(NO_ANSWER, request);
      throw e;
    }
  }

  private void count(String code, ApiRequest request) {
    requests.labelValues(code, host, request.method()).inc();
  }

  @Override
  public void close() {
    inner.close();
  }
}
