package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An unmodified kubectl looks into simulated pods, over WebSockets and, as older ones do, over
/// SPDY.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SimulatedStreamsIT {
  private Path folder;
  private TestCluster cluster;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path temporary) {
    folder = temporary;
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    cluster = TestCluster.withNode(folder.resolve("data"), List.of());
    kubectl = new Kubectl(cluster.kubeconfig(), folder.resolve("cache"));
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
    Path file = Files.writeString(folder.resolve("in.txt"), "content\n");
    Path back = folder.resolve("out.txt");
    assertThat(kubectl.attempt("", how, "cp", file.toString(), "web:/tmp/in.txt").code()).isZero();
    assertThat(kubectl.attempt("", how, "cp", "web:/tmp/in.txt", back.toString()).code()).isZero();
    assertThat(back).hasContent("content");
    Files.delete(back);
  }
}
