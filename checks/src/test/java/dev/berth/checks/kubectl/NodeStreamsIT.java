package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.WorkloadType;
import dev.berth.checks.TestCluster;
import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.checks.containerd.TestImages;
import dev.berth.cri.CriEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// An unmodified kubectl looks into pods that run on a real containerd.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeStreamsIT {
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
            echo one; echo two; sleep 0.2; echo three >&2; touch /written
            mkdir -p /www; echo served > /www/index.html
            httpd -p 8080 -h /www || true
            while [ ! -e /stop ]; do sleep 0.1; done
            echo last
      """
          .formatted(TestImages.BUSYBOX);

  private Path folder;
  private ContainerdProcess containerd;
  private TestCluster cluster;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    folder = temporary;
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC), "containerd and root are needed");
    containerd = ContainerdProcess.start(folder.resolve("c"), LowLevelRuntime.RUNC);
    cluster =
        TestCluster.withNode(
            folder.resolve("data"),
            List.of(
                new RuntimeDeclaration(
                    "containerd",
                    WorkloadType.CONTAINER,
                    new CriEndpoint.UnixSocket(containerd.socket()))));
    kubectl = new Kubectl(cluster.kubeconfig(), folder.resolve("cache"));
    kubectl.run("wait", "--for=create", "node/node-1", "--timeout=60s");
    kubectl.run("wait", "--for=condition=Ready", "node/node-1", "--timeout=60s");
    kubectl.apply(POD, "apply", "-f", "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/web", "--timeout=60s");
    // The last line is written a moment after the pod is ready.
    kubectl.run("exec", "web", "--", "sh", "-c", "until [ -e /written ]; do sleep 0.1; done");
  }

  @AfterAll
  void stop() throws IOException, InterruptedException {
    if (kubectl != null) {
      kubectl.run("delete", "pod", "--all", "--timeout=60s");
    }
    if (cluster != null) {
      cluster.close();
    }
    if (containerd != null) {
      containerd.close();
      // The agent leaves its folder in memory mounted, because pods outlive it.
      new ProcessBuilder("umount", folder.resolve("data/agent/memory").toString())
          .start()
          .waitFor();
    }
  }

  @Test
  void logsAreShownWithTailLimitAndTimes() {
    assertThat(kubectl.run("logs", "web")).contains("one\n", "two\n", "three\n");
    assertThat(kubectl.run("logs", "web", "--tail=1")).hasLineCount(1);
    assertThat(kubectl.run("logs", "web", "--limit-bytes=2")).isEqualTo("on");
    assertThat(kubectl.run("logs", "web", "--timestamps", "--tail=1"))
        .matches("(?s)20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z .*\n");
    assertThat(kubectl.run("logs", "web", "--since-time=2100-01-01T00:00:00Z")).isEmpty();
    assertThat(kubectl.refused("", "logs", "web", "--previous"))
        .contains("previous terminated container \"main\" in pod \"web\" not found");
  }

  @Test
  void commandsRunAndTellTheirCode() {
    assertThat(kubectl.run("exec", "web", "--", "sh", "-c", "echo out; echo err >&2"))
        .contains("out\n", "err\n");
    assertThat(kubectl.attempt("", Map.of(), "exec", "web", "--", "sh", "-c", "exit 7").code())
        .isEqualTo(7);
    assertThat(kubectl.apply("hello", "exec", "-i", "web", "--", "cat")).isEqualTo("hello");
  }

  @Test
  void filesAreCopiedInAndOut() throws IOException {
    Path file = Files.writeString(folder.resolve("in.txt"), "content\n");
    kubectl.run("cp", file.toString(), "web:/tmp-in.txt");
    kubectl.run("cp", "web:/tmp-in.txt", folder.resolve("out.txt").toString());
    assertThat(folder.resolve("out.txt")).hasContent("content");
  }

  @Test
  void portsAreForwarded() throws Exception {
    Process forward = kubectl.start(Map.of(), "port-forward", "pod/web", ":8080");
    try (BufferedReader words = forward.inputReader()) {
      Matcher port =
          Pattern.compile("127\\.0\\.0\\.1:(\\d+) -> 8080")
              .matcher(String.valueOf(words.readLine()));
      assertThat(port.find()).isTrue();
      assertThat(get(Integer.parseInt(port.group(1)), "/index.html")).endsWith("served\n");
    } finally {
      forward.destroy();
    }
  }

  @Test
  void aFollowedLogEndsWithItsPod() throws Exception {
    kubectl.apply(POD.replace("name: web", "name: short"), "apply", "-f", "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/short", "--timeout=60s");
    Process follow = kubectl.start(Map.of(), "logs", "-f", "short");
    try (BufferedReader lines = follow.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("one");
      Process attached = kubectl.start(Map.of(), "attach", "short");
      kubectl.run("exec", "short", "--", "touch", "/stop");
      assertThat(lines.lines().toList()).contains("two", "three").last().isNotNull();
      attached.destroy();
    }
  }

  @Test
  void theNodeTellsWhatItRunsAndUses() {
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/pods"))
        .contains("\"name\":\"web\"");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/stats/summary"))
        .contains("\"nodeName\":\"node-1\"", "\"name\":\"main\"");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/metrics/resource"))
        .contains("node_cpu_usage_seconds_total", "container=\"main\"", "scrape_error 0");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/metrics"))
        .contains("kubelet_runtime_operations_total");
  }

  private static String get(int port, String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri.getPort());
        InputStream in = socket.getInputStream()) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
