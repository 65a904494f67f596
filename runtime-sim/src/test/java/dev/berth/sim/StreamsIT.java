package dev.berth.sim;

import static dev.berth.sim.TestService.container;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PortForwardRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Streams of containers over real WebSockets.
final class StreamsIT {
  private static final String V5 = "v5.channel.k8s.io";
  private static final String V4 = "v4.channel.k8s.io";

  private final TestService service = new TestService("linux/amd64");

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aCommandWritesToItsChannelsAndSaysHowItEnded() {
    String id = service.start(pod("a"), container("main", "nginx"));
    ExecRequest request =
        ExecRequest.newBuilder()
            .setContainerId(id)
            .addAllCmd(List.of("sh", "-c", "echo out; echo err >&2; exit 3"))
            .setStdout(true)
            .setStderr(true)
            .build();

    ChannelClient client = ChannelClient.connect(service.runtime().exec(request), V4);
    client.awaitEnd();

    assertThat(client.text(1)).isEqualTo("out\n");
    assertThat(client.text(2)).isEqualTo("err\n");
    assertThat(client.text(3))
        .contains("\"status\":\"Failure\"", "\"reason\":\"ExitCode\",\"message\":\"3\"");
  }

  @Test
  void aTerminalIsAConversation() {
    String id = service.start(pod("a"), container("main", "nginx"));
    ExecRequest request =
        ExecRequest.newBuilder()
            .setContainerId(id)
            .addCmd("sh")
            .setStdin(true)
            .setStdout(true)
            .setTty(true)
            .build();
    ChannelClient client = ChannelClient.connect(service.runtime().exec(request), V5);
    client.send(0, "hostname\r");
    Await.until("an answer", () -> client.text(1).contains("a\r\n/ # "));
    client.endInput();
    client.awaitEnd();

    assertThat(client.text(1)).isEqualTo("/ # hostname\r\na\r\n/ # ");
    assertThat(client.text(3)).isEqualTo("{\"metadata\":{},\"status\":\"Success\"}");
  }

  @Test
  void whoAttachesSeesWhatComesFromThenOn() {
    String id =
        service.start(
            pod("a"), container("main", "sh", "-c", "while true; do echo tick; sleep 1; done"));
    String url =
        service
            .runtime()
            .attach(AttachRequest.newBuilder().setContainerId(id).setStdout(true).build());
    ChannelClient client = ChannelClient.connect(url, V4);
    Await.until("connected", () -> client.messages() == 1);
    Await.until(
        "two ticks",
        () -> {
          service.time.advance(Duration.ofSeconds(1));
          return client.text(1).contains("tick\ntick\n");
        });

    service.runtime().stopContainer(id, Duration.ZERO);
    client.awaitEnd();
  }

  @Test
  void aPortAnswersHttpAndGivesTheRestBack() {
    service.start(pod("web"), container("main", "nginx"));
    String sandbox =
        service
            .runtime()
            .listPodSandboxes(PodSandboxFilter.getDefaultInstance())
            .getFirst()
            .getId();
    String url =
        service
            .runtime()
            .portForward(
                PortForwardRequest.newBuilder()
                    .setPodSandboxId(sandbox)
                    .addPort(80)
                    .addPort(8080)
                    .build());
    ChannelClient client = ChannelClient.connect(url, V4);

    client.send(0, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    client.send(2, "ping");

    Await.until("http", () -> client.text(0).endsWith("simulated pod web\n"));
    Await.until("echo", () -> client.text(2).endsWith("ping"));
    assertThat(client.bytes(2)).startsWith(0x90, 0x1f);

    service.runtime().stopPodSandbox(sandbox);
    client.send(2, "ping");
    client.awaitEnd();
    assertThat(client.text(3)).endsWith("in store: not found");
  }

  @Test
  void aUrlIsGoodOnceAndNotForEver() {
    String id = service.start(pod("a"), container("main", "nginx"));
    ExecRequest request =
        ExecRequest.newBuilder().setContainerId(id).addCmd("true").setStdout(true).build();
    String used = service.runtime().exec(request);
    ChannelClient.connect(used, V4).awaitEnd();
    assertThatThrownBy(() -> ChannelClient.connect(used, V4)).hasStackTraceContaining("404");

    String late = service.runtime().exec(request);
    service.time.advance(Duration.ofMinutes(2));
    assertThatThrownBy(() -> ChannelClient.connect(late, V4)).hasStackTraceContaining("404");

    String other = service.runtime().exec(request);
    assertThatThrownBy(() -> ChannelClient.connect(other, "unknown"))
        .hasStackTraceContaining("400");
  }

  @Test
  void aCrashCutsStreamsOff() {
    String id = service.start(pod("a"), container("main", "nginx"));
    String url =
        service
            .runtime()
            .attach(AttachRequest.newBuilder().setContainerId(id).setStdout(true).build());
    ChannelClient client = ChannelClient.connect(url, V4);
    Await.until("connected", () -> client.messages() == 1);

    service.simulator().crash();

    client.awaitEnd();
  }
}
