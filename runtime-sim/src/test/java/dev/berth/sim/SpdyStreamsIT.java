package dev.berth.sim;

import static dev.berth.sim.TestService.container;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PortForwardRequest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Streams of containers for clients that speak SPDY.
final class SpdyStreamsIT {
  private static final String V4 = "v4.channel.k8s.io";

  private final TestService service = new TestService("linux/amd64");

  @AfterEach
  void close() {
    service.close();
  }

  @ParameterizedTest
  @CsvSource({V4 + ",\"message\":\"3\"", "v3.channel.k8s.io,exit status 3"})
  void aCommandReadsItsInputWritesToItsStreamsAndSaysHowItEnded(String protocol, String status)
      throws IOException {
    String id = service.start(pod("a"), container("main", "nginx"));
    ExecRequest request =
        ExecRequest.newBuilder()
            .setContainerId(id)
            .addAllCmd(List.of("sh", "-c", "cat; echo err >&2; exit 3"))
            .setStdin(true)
            .setStdout(true)
            .setStderr(true)
            .build();
    try (SpdyClient client = new SpdyClient(service.runtime().exec(request), protocol)) {
      assertThat(client.head())
          .startsWith("HTTP/1.1 101 ")
          .contains("X-Stream-Protocol-Version: " + protocol);
      int error = client.open("streamtype", "error");
      int stdin = client.open("streamtype", "stdin");
      int stdout = client.open("streamtype", "stdout");
      int stderr = client.open("streamtype", "stderr");
      String large = "x".repeat(100_000);
      client.send(stdin, large, false);
      client.send(stdin, "\n", true);
      client.readUntil(() -> client.ended(error) && client.ended(stdout) && client.ended(stderr));

      assertThat(client.text(stdout)).isEqualTo(large + "\n");
      assertThat(client.text(stderr)).isEqualTo("err\n");
      assertThat(client.text(error)).contains(status);
    }
  }

  @Test
  void eachConnectionToAPortHasItsStreams() throws IOException {
    service.start(pod("web"), container("main", "nginx"));
    try (SpdyClient client = new SpdyClient(portForward(), "portforward.k8s.io")) {
      int firstError = client.open("streamtype", "error", "port", "80", "requestid", "0");
      int first = client.open("streamtype", "data", "port", "80", "requestid", "0");
      int secondError = client.open("streamtype", "error", "port", "80", "requestid", "1");
      int second = client.open("streamtype", "data", "port", "80", "requestid", "1");
      client.send(first, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", false);
      client.send(second, "ping", false);
      client.send(second, "", true);
      client.readUntil(
          () -> List.of(first, firstError, second, secondError).stream().allMatch(client::ended));

      assertThat(client.text(first)).endsWith("simulated pod web\n");
      assertThat(client.text(second)).isEqualTo("ping");
      assertThat(client.text(firstError)).isEmpty();
      assertThat(client.text(secondError)).isEmpty();
    }
  }

  @Test
  void aProtocolThatIsNotSpokenIsRefused() throws IOException {
    service.start(pod("web"), container("main", "nginx"));
    try (SpdyClient client = new SpdyClient(portForward(), V4)) {
      assertThat(client.head()).startsWith("HTTP/1.1 403 ");
    }
  }

  @Test
  void aCrashCutsThemOff() throws IOException {
    service.start(pod("web"), container("main", "nginx"));
    try (SpdyClient client = new SpdyClient(portForward(), "portforward.k8s.io")) {
      int error = client.open("streamtype", "error", "port", "80", "requestid", "0");
      int data = client.open("streamtype", "data", "port", "80", "requestid", "0");
      client.send(data, "ping", false);
      client.readUntil(() -> client.text(data).equals("ping"));

      service.simulator().crash();

      assertThat(client.readsToItsEnd()).isTrue();
      assertThat(client.text(error)).isEmpty();
    }
  }

  @Test
  void aPodThatWasStoppedHasNoPorts() throws IOException {
    service.start(pod("web"), container("main", "nginx"));
    try (SpdyClient client = new SpdyClient(portForward(), "portforward.k8s.io")) {
      int error = client.open("streamtype", "error", "port", "80", "requestid", "0");
      int data = client.open("streamtype", "data", "port", "80", "requestid", "0");
      client.send(data, "ping", false);
      client.readUntil(() -> client.text(data).equals("ping"));

      service.runtime().stopPodSandbox(sandbox());

      client.send(data, "ping", false);
      int laterError = client.open("streamtype", "error", "port", "80", "requestid", "1");
      int later = client.open("streamtype", "data", "port", "80", "requestid", "1");
      client.readUntil(
          () -> List.of(data, error, later, laterError).stream().allMatch(client::ended));
      assertThat(client.text(data)).isEqualTo("ping");
      assertThat(client.text(error)).isEqualTo(client.text(laterError)).endsWith("not found");
      assertThat(client.text(later)).isEmpty();
    }
  }

  private String portForward() {
    return service
        .runtime()
        .portForward(
            PortForwardRequest.newBuilder().setPodSandboxId(sandbox()).addPort(80).build());
  }

  private String sandbox() {
    return service
        .runtime()
        .listPodSandboxes(PodSandboxFilter.getDefaultInstance())
        .getFirst()
        .getId();
  }
}
