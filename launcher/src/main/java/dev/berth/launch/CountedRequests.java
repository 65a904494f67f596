package dev.berth.launch;

import dev.berth.client.NoAnswerException;
import dev.berth.client.Request;
import dev.berth.client.Response;
import dev.berth.client.Transport;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// Counts the requests to an API server, under upstream's name and with its labels.
final class CountedRequests implements Transport {
  private static final String NO_ANSWER = "<error>";

  private final Transport inner;
  private final String host;
  private final Counter requests;

  /// @param host with its port
  CountedRequests(Transport inner, String host, PrometheusRegistry registry) {
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
  public Response send(Request request) {
    try {
      Response response = inner.send(request);
      count(Integer.toString(response.status()), request);
      return response;
    } catch (NoAnswerException e) {
      count(NO_ANSWER, request);
      throw e;
    }
  }

  private void count(String code, Request request) {
    requests.labelValues(code, host, request.method()).inc();
  }

  @Override
  public void close() {
    inner.close();
  }
}
