package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An unmodified kubectl looks into simulated pods, over WebSockets and, as older ones do, over
/// SPDY.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SimulatedStreamsIT {
  private Path directory;
  private TestCluster cluster;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path temporary) {
    directory = temporary;
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    cluster = TestCluster.withNode(directory.resolve("data"), List.of());
    kubectl = new Kubectl(cluster.kubeconfig(), directory.resolve("cache"));
    kubectl.run("run", "web", "--image=sim/web", "--", "sh", "-c", "while true; do sleep 1; done");
    kubectl.run("wait", "--for=condition=Ready", "pod/web", "--timeout=180s");
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void commandsTerminalsFilesAndPortsWork(String webSockets) throws Exception {
    Map<String, String> how =
        Map.of(
            "KUBECTL_REMOTE_COMMAND_WEBSOCKETS", webSockets,
            "KUBECTL_PORT_FORWARD_WEBSOCKETS", webSockets);

    assertThat(kubectl.attempt("hello", how, "exec", "-i", "web", "--", "cat"))
        .isEqualTo(new Kubectl.Outcome(0, "hello"));
    var failed = kubectl.attempt("", how, "exec", "web", "--", "sh", "-c", "echo out; exit 7");
    assertThat(failed.code()).isEqualTo(7);
    assertThat(failed.text()).contains("out\n", "exit code 7");
    terminal(how);
    copy(how);
    try (Forward forward = new Forward(kubectl, how, "web", 80)) {
      assertThat(forward.get("/")).endsWith("simulated pod web\n");
      assertThat(forward.get("/")).endsWith("simulated pod web\n");
    }
  }

  /// As upstream's conformance test "should support retrieving logs from the container over
  /// websockets" asks for them; kubectl proxy adds the user's certificate.
  @Test
  void logsAreMessagesOfAWebSocket() throws Exception {
    kubectl.run("run", "says", "--image=sim/web", "--restart=Never", "--", "echo", "is alive");
    kubectl.run("wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/says", "--timeout=180s");
    Process proxy = kubectl.start(Map.of(), "proxy", "--port=0");
    try (HttpClient client = HttpClient.newHttpClient()) {
      String line = proxy.inputReader().readLine();
      String address = line.substring(line.lastIndexOf(' ') + 1);
      LogListener log = new LogListener();
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .subprotocols("binary.k8s.io")
              .header("Origin", "http://localhost")
              .buildAsync(
                  URI.create(
                      "ws://%s/api/v1/namespaces/default/pods/says/log?container=says"
                          .formatted(address)),
                  log)
              .join();
      assertThat(socket.getSubprotocol()).isEqualTo("binary.k8s.io");
      assertThat(log.whole.get(120, TimeUnit.SECONDS)).isEqualTo("is alive\n");
    } finally {
      proxy.destroy();
    }
  }

  /// A page that somebody with a certificate in the browser looks at.
  @Test
  void pagesOfOtherOriginsGetNoTerminal() throws Exception {
    Process proxy = kubectl.start(Map.of(), "proxy", "--port=0", "--reject-paths=^$");
    try (HttpClient client = HttpClient.newHttpClient()) {
      String line = proxy.inputReader().readLine();
      String base = "ws://" + line.substring(line.lastIndexOf(' ') + 1);
      String pod = base + "/api/v1/namespaces/default/pods/web";
      for (String path :
          List.of("/exec?command=id&stdout=1", "/attach?stdout=1", "/portforward?ports=80")) {
        assertThatThrownBy(() -> open(client, pod + path, "https://evil.example"))
            .cause()
            .isInstanceOfSatisfying(
                WebSocketHandshakeException.class,
                refusal -> assertThat(refusal.getResponse().statusCode()).isEqualTo(403));
      }
      open(client, pod + "/exec?command=id&stdout=1", "http://localhost").abort();
    } finally {
      proxy.destroy();
    }
  }

  private static WebSocket open(HttpClient client, String url, String origin) {
    return client
        .newWebSocketBuilder()
        .subprotocols("v4.channel.k8s.io")
        .header("Origin", origin)
        .buildAsync(URI.create(url), new LogListener())
        .join();
  }

  /// Gathers binary messages until the server closes the WebSocket.
  private static final class LogListener implements WebSocket.Listener {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<String> whole = new CompletableFuture<>();

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      while (data.hasRemaining()) {
        bytes.write(data.get());
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      whole.complete(bytes.toString(StandardCharsets.UTF_8));
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      whole.completeExceptionally(error);
    }
  }

  private void terminal(Map<String, String> how) throws IOException, InterruptedException {
    Process terminal = kubectl.startInTerminal(how, "exec", "-it", "web", "--", "sh");
    try (Conversation shell = new Conversation(terminal)) {
      shell.awaitText("/ # ");
      shell.say("hostname");
      shell.awaitText("web\r\n/ # ");
      shell.say("exit 4");
      assertThat(shell.code()).isEqualTo(4);
    }
  }

  private void copy(Map<String, String> how) throws IOException {
    Path file = Files.writeString(directory.resolve("in.txt"), "content\n");
    Path back = directory.resolve("out.txt");
    assertThat(kubectl.attempt("", how, "cp", file.toString(), "web:/tmp/in.txt").code()).isZero();
    assertThat(kubectl.attempt("", how, "cp", "web:/tmp/in.txt", back.toString()).code()).isZero();
    assertThat(back).hasContent("content");
    Files.delete(back);
  }
}
