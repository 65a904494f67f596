package dev.berth.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResponse;
import dev.berth.client.ApiTransport;
import dev.berth.client.NoAnswerException;
import dev.berth.launch.connection.AgentConnection;
import dev.berth.launch.process.ProcessMetrics;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentMetricsTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();

  @TempDir private Path root;

  @Test
  void requestsToTheServerAreCountedAlsoThoseWithoutAnAnswer() throws IOException {
    ApiClient client =
        new AgentConnection(new ApiClient(new OneAnswer()), URI.create("https://10.0.0.1:6443"), "")
            .countedBy(registry)
            .client();

    client.getJson("/version", "application/json");
    assertThatThrownBy(() -> client.getJson("/version", "application/json"))
        .isInstanceOf(NoAnswerException.class);

    assertThat(text())
        .contains(
            "rest_client_requests_total{code=\"200\",host=\"10.0.0.1:6443\",method=\"GET\"} 1.0\n",
            "rest_client_requests_total{code=\"<error>\",host=\"10.0.0.1:6443\",method=\"GET\"} 1.0\n");
  }

  @Test
  void theProcessTellsWhatItTakes() throws IOException {
    write("stat", "7 (a) S 1 7 7 0 -1 0 1 0 5 0 30 20 0 0 20 0 9 0 250 4096 6\n");
    write("status", "VmRSS:\t      24 kB\n");
    write("limits", "Limit  Soft Limit  Hard Limit  Units\nMax open files  1024  4096  files\n");
    write("fd/0", "");
    write("fd/1", "");
    Files.writeString(root.resolve("proc/stat"), "btime 1700000000\n");

    new ProcessMetrics(root).showIn(registry);

    assertThat(text().lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "process_cpu_seconds_total 0.5",
            "process_max_fds 1024.0",
            "process_open_fds 2.0",
            "process_resident_memory_bytes 24576.0",
            "process_start_time_seconds 1.7000000025E9",
            "process_virtual_memory_bytes 4096.0");
  }

  @Test
  void whatTheSystemDoesNotTellIsLeftOut() throws IOException {
    new ProcessMetrics(root).showIn(registry);

    assertThat(text().lines().filter(line -> !line.startsWith("#"))).isEmpty();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve("proc/self").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private String text() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toString(StandardCharsets.UTF_8);
  }

  /// Answers once, and is away then.
  private static final class OneAnswer implements ApiTransport {
    private boolean away;

    @Override
    public ApiResponse send(ApiRequest request) {
      if (away) {
        throw new NoAnswerException("away", null);
      }
      away = true;
      return new ApiResponse(200, new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {}
  }
}
