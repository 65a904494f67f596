package dev.berth.cri;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.v1.PodSandboxConfig;
import io.grpc.Status;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CriMetricsTest {
  private final Services services = new Services();
  private final FakeRuntime fake = new FakeRuntime();
  private final RuntimeClient runtime = services.inProcess(fake).runtime();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void callsAreCountedAndTimedAsTheKubeletDoes() throws IOException {
    runtime.runPodSandbox(PodSandboxConfig.getDefaultInstance(), "crun");
    fake.failure = Status.UNKNOWN;
    assertThatThrownBy(() -> runtime.runPodSandbox(PodSandboxConfig.getDefaultInstance(), ""));
    assertThatThrownBy(runtime::version);

    assertThat(exposition())
        .contains(
            "# HELP kubelet_run_podsandbox_duration_seconds Duration in seconds of the"
                + " run_podsandbox operations. Broken down by RuntimeClass.Handler.",
            "# TYPE kubelet_run_podsandbox_duration_seconds histogram",
            "kubelet_run_podsandbox_duration_seconds_count{runtime_handler=\"\",runtime_service=\"sim\"} 1",
            "kubelet_run_podsandbox_duration_seconds_count{runtime_handler=\"crun\",runtime_service=\"sim\"} 1",
            "# HELP kubelet_run_podsandbox_errors_total Cumulative number of the run_podsandbox"
                + " operation errors by RuntimeClass.Handler.",
            "# TYPE kubelet_run_podsandbox_errors_total counter",
            "kubelet_run_podsandbox_errors_total{runtime_handler=\"\",runtime_service=\"sim\"} 1.0",
            "kubelet_run_podsandbox_errors_total{runtime_handler=\"crun\",runtime_service=\"sim\"} 0.0",
            "# TYPE kubelet_runtime_operations_total counter",
            "kubelet_runtime_operations_total{operation_type=\"run_podsandbox\",runtime_service=\"sim\"} 2.0",
            "kubelet_runtime_operations_total{operation_type=\"version\",runtime_service=\"sim\"} 1.0",
            "# TYPE kubelet_runtime_operations_errors_total counter",
            "kubelet_runtime_operations_errors_total{operation_type=\"run_podsandbox\",runtime_service=\"sim\"} 1.0",
            "# TYPE kubelet_runtime_operations_duration_seconds histogram",
            "kubelet_runtime_operations_duration_seconds_count{operation_type=\"version\",runtime_service=\"sim\"} 1");
  }

  @Test
  void bucketsAreTheKubelets() throws IOException {
    runtime.runPodSandbox(PodSandboxConfig.getDefaultInstance(), "");

    assertThat(bounds("kubelet_run_podsandbox_duration_seconds"))
        .containsExactly(
            "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0",
            "+Inf");
    assertThat(bounds("kubelet_runtime_operations_duration_seconds"))
        .containsExactly(
            "0.005",
            "0.0125",
            "0.03125",
            "0.078125",
            "0.1953125",
            "0.48828125",
            "1.220703125",
            "3.0517578125",
            "7.62939453125",
            "19.073486328125",
            "47.6837158203125",
            "119.20928955078125",
            "298.0232238769531",
            "745.0580596923828",
            "+Inf");
  }

  @Test
  void whatWasDoneAlreadyIsCountedAsTheKubeletCountsIt() throws IOException {
    fake.failure = Status.NOT_FOUND;
    runtime.stopContainer("gone", Duration.ZERO);

    assertThat(exposition())
        .contains(
            "kubelet_runtime_operations_errors_total{operation_type=\"stop_container\",runtime_service=\"sim\"} 1.0");
  }

  @Test
  void aServiceThatIsGoneIsForgotten() throws IOException {
    runtime.runPodSandbox(PodSandboxConfig.getDefaultInstance(), "crun");
    services.metrics.forget("sim");

    assertThat(exposition()).noneMatch(line -> line.contains("sim"));
  }

  private List<String> bounds(String histogram) throws IOException {
    return exposition().stream()
        .filter(line -> line.startsWith(histogram + "_bucket"))
        .map(line -> line.replaceFirst(".*le=\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private List<String> exposition() throws IOException {
    var text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(text, services.registry.scrape());
    return text.toString(UTF_8).lines().toList();
  }
}
