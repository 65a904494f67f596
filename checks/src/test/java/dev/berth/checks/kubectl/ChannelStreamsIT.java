package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.containerd.TestImages;
import dev.berth.checks.contract.Cri;
import dev.berth.checks.contract.RemoteCommandClient;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Clients that speak WebSockets only, and containerd 1.6, which knows nothing of version 5 of the
/// channels and of tunnels: the node translates.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChannelStreamsIT {
  private static final String V5 = "v5.channel.k8s.io";
  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int STATUS = 3;
  private static final int RESIZE = 4;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
      spec:
        automountServiceAccountToken: false
        terminationGracePeriodSeconds: 0
        containers:
        - name: main
          image: %s
          imagePullPolicy: Never
          command: [sh, -c]
          args:
          - |
            mkdir -p /www; echo served > /www/index.html; httpd -p 8080 -h /www
            while true; do sleep 1; done
        - name: reader
          image: %s
          imagePullPolicy: Never
          stdin: true
          stdinOnce: true
          command: [sh, -c, 'sha256sum; sleep 3600']
      """
          .formatted(TestImages.BUSYBOX, TestImages.BUSYBOX);

  private Path directory;
  private StreamsCluster machine;
  private Kubectl kubectl;
  private HttpClient admin;

  /// The pod's path at the API server, and that of the node's own server.
  private String pod;

  private String node;

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    directory = temporary;
    machine = StreamsCluster.start(directory);
    kubectl = machine.kubectl();
    kubectl.apply(POD, "apply", "-f", "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/web", "--timeout=180s");
    Config config =
        new ConfigBuilder(Config.fromKubeconfig(machine.cluster().kubeconfig().toFile()))
            // The servers of nodes have an authority of their own.
            .withTrustCerts(true)
            .withDisableHostnameVerification(true)
            .build();
    SSLContext tls = SSLUtils.sslContext(config);
    admin = HttpClient.newBuilder().sslContext(tls).build();
    pod = config.getMasterUrl().replaceAll("/$", "") + "/api/v1/namespaces/default/pods/web";
    String port =
        kubectl.run(
            "get", "node", "node-1", "-o=jsonpath={.status.daemonEndpoints.kubeletEndpoint.Port}");
    node = "https://127.0.0.1:" + port;
  }

  @AfterAll
  void stop() throws IOException {
    if (machine != null) {
      machine.close();
    }
  }

  /// Both ways to the same command, at the API server and at the node itself.
  private List<String> exec(String flags, String script) {
    String words = URLEncoder.encode(script, StandardCharsets.UTF_8).replace("+", "%20");
    String command = "command=sh&command=-c&command=%s&%s".formatted(words, flags);
    return List.of(
        pod + "/exec?container=main&" + command, node + "/exec/default/web/main?" + command);
  }

  private static byte[] megabytes(int count) {
    byte[] bytes = new byte[count << 20];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 + (i >> 13));
    }
    return bytes;
  }

  private static String sum(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCommandReadsItsInputToTheEnd() {
    byte[] input = megabytes(50);
    for (String url : exec("stdin=1&stdout=1&stderr=1", "sha256sum; echo done >&2; exit 7")) {
      try (var command = RemoteCommandClient.connect(admin, url, V5)) {
        assertThat(command.protocol()).isEqualTo(V5);
        for (int at = 0; at < input.length; at += 1 << 16) {
          byte[] piece = new byte[1 << 16];
          System.arraycopy(input, at, piece, 0, piece.length);
          command.send(STDIN, piece);
        }
        command.closeChannel(STDIN);
        command.awaitEnd();
        assertThat(command.text(STDOUT)).isEqualTo(sum(input) + "  -\n");
        assertThat(command.text(STDERR)).isEqualTo("done\n");
        assertThat(command.text(STATUS)).contains("NonZeroExitCode", "\"7\"");
      }
    }
  }

  @Test
  void outputWithoutInputIsWhole() {
    for (String url : exec("stdout=1", "seq 1 50000")) {
      try (var command = RemoteCommandClient.connect(admin, url, V5)) {
        command.awaitEnd();
        assertThat(command.text(STDOUT)).startsWith("1\n2\n").endsWith("\n50000\n");
        assertThat(command.text(STDOUT)).hasLineCount(50_000);
        assertThat(command.text(STATUS)).contains("\"status\":\"Success\"");
      }
    }
  }

  @Test
  void aCommandMayEndBeforeItsInput() {
    for (String url : exec("stdin=1&stdout=1", "head -c 3; exit 4")) {
      try (var command = RemoteCommandClient.connect(admin, url, V5)) {
        command.send(STDIN, "one two three".getBytes(StandardCharsets.UTF_8));
        command.awaitEnd();
        assertThat(command.text(STDOUT)).isEqualTo("one");
        assertThat(command.text(STATUS)).contains("\"4\"");
      }
    }
  }

  @Test
  void whatCannotBeRunIsAStatus() {
    String url = pod + "/exec?container=main&command=/no/such&stdout=1&stdin=1";
    try (var command = RemoteCommandClient.connect(admin, url, V5)) {
      command.awaitEnd();
      assertThat(command.text(STATUS)).contains("\"status\":\"Failure\"", "/no/such");
    }
  }

  /// Its input ends, and with it the command; nothing stays connected to containerd.
  @Test
  void ofAClientThatDisappearsNothingStays() {
    for (String url : exec("stdin=1&stdout=1", "echo $$; cat; touch /left-$$")) {
      String process;
      try (var command = RemoteCommandClient.connect(admin, url, V5)) {
        Cri.await(() -> command.text(STDOUT).endsWith("\n"));
        process = command.text(STDOUT).strip();
        assertThat(connectionsToContainerd()).isPositive();
      }
      Cri.await(() -> inPod("test -e /left-" + process));
      Cri.await(() -> connectionsToContainerd() == 0);
    }
  }

  private boolean inPod(String script) {
    return kubectl
            .attempt("", Map.of(), "exec", "web", "-c", "main", "--", "sh", "-c", script)
            .code()
        == 0;
  }

  /// Established TCP connections whose one end is this process and the other a port of containerd.
  private long connectionsToContainerd() {
    try {
      Process ss = new ProcessBuilder("ss", "-Htnp", "state", "established").start();
      try (Stream<String> lines = ss.inputReader().lines()) {
        return lines.filter(line -> line.contains("(\"containerd\"")).count();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// The usual kubectl, and others of versions that know these protocols if they are beside it.
  static List<String> programs() throws IOException {
    List<String> programs = new ArrayList<>(List.of("kubectl"));
    Path usual = Path.of("/usr/bin/kubectl");
    if (Files.exists(usual)) {
      try (Stream<Path> beside = Files.list(usual.toRealPath().resolveSibling(""))) {
        beside
            .map(Path::toString)
            .filter(path -> path.matches(".*/kubectl\\.1\\.3[0-9]"))
            .sorted()
            .forEach(programs::add);
      }
    }
    return programs;
  }

  /// kubectl says when it falls back to SPDY.
  @ParameterizedTest
  @MethodSource("programs")
  void kubectlUsesWebSocketsToTheEnd(String program) throws Exception {
    Map<String, String> how =
        Map.of(
            "KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "true",
            "KUBECTL_PORT_FORWARD_WEBSOCKETS", "true");
    Kubectl client = kubectl.with(program);
    String version = Path.of(program).getFileName().toString();
    String input = "x".repeat(5 << 20);
    Kubectl.Outcome outcome =
        client.attempt(
            input, how, "exec", "-v=4", "-i", "web", "-c", "main", "--", "sh", "-c", "sha256sum");
    assertThat(outcome.text())
        .contains(V5, sum(input.getBytes(StandardCharsets.UTF_8)))
        .doesNotContain("fallback");
    Path file = Files.writeString(directory.resolve("in-" + version), "content\n");
    client.run("cp", file.toString(), "web:/copied", "-c", "main");
    client.run("cp", "web:/copied", directory.resolve("out-" + version).toString(), "-c", "main");
    assertThat(directory.resolve("out-" + version)).hasContent("content");
    try (Forward forward = new Forward(client, how, "web", 8080)) {
      assertThat(forward.get("/index.html")).endsWith("served\n");
      assertThat(forward.get("/index.html")).endsWith("served\n");
    }
  }

  @Test
  void aTerminalHasTheSizeThatTheClientSays() {
    String script = "while ! stty size | grep '33 77'; do sleep 0.1; done; exit 5";
    for (String url : exec("stdin=1&stdout=1&tty=1", script)) {
      try (var command = RemoteCommandClient.connect(admin, url, V5)) {
        command.send(RESIZE, "{\"Width\":77,\"Height\":33}".getBytes(StandardCharsets.UTF_8));
        command.awaitEnd();
        assertThat(command.text(STDOUT)).endsWith("33 77\r\n");
        assertThat(command.text(STATUS)).contains("\"5\"");
      }
    }
  }

  @Test
  void whoAttachesEndsTheInput() {
    byte[] input = megabytes(2);
    String url = pod + "/attach?container=reader&stdin=1&stdout=1&stderr=1";
    try (var attached = RemoteCommandClient.connect(admin, url, V5)) {
      attached.send(STDIN, input);
      attached.closeChannel(STDIN);
      Cri.await(() -> attached.text(STDOUT).contains(sum(input)) || logs().contains(sum(input)));
    }
  }

  private String logs() {
    return kubectl.run("logs", "web", "-c", "reader");
  }
}
