package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.TestImages;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
          readinessProbe: {exec: {command: ["true"]}}
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

  private Path directory;
  private ContainerdProcess containerd;
  private StreamsCluster machine;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    directory = temporary;
    machine = StreamsCluster.start(directory);
    containerd = machine.containerd();
    kubectl = machine.kubectl();
    kubectl.apply(POD, "apply", "-f", "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/web", "--timeout=180s");
    // The last line is written a moment after the pod is ready.
    kubectl.run("exec", "web", "--", "sh", "-c", "until [ -e /written ]; do sleep 0.1; done");
  }

  @AfterAll
  void stop() throws IOException {
    if (machine != null) {
      machine.close();
    }
  }

  @Test
  void logsAreShownWithTailLimitAndTimes() {
    assertThat(kubectl.run("logs", "web")).contains("one\n", "two\n", "three\n");
    assertThat(kubectl.run("logs", "web", "--tail=1")).hasLineCount(1);
    assertThat(kubectl.run("logs", "web", "--since=1h")).contains("one\n");
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
    String script = "# %s\necho end".formatted("long ".repeat(4_000));
    assertThat(kubectl.run("exec", "web", "--", "sh", "-c", script)).isEqualTo("end\n");
  }

  @Test
  void filesAreCopiedInAndOut() throws IOException {
    Path file = Files.writeString(directory.resolve("in.txt"), "content\n");
    kubectl.run("cp", file.toString(), "web:/tmp-in.txt");
    kubectl.run("cp", "web:/tmp-in.txt", directory.resolve("out.txt").toString());
    assertThat(directory.resolve("out.txt")).hasContent("content");
  }

  @Test
  void portsAreForwarded() throws IOException {
    try (Forward forward = new Forward(kubectl, Map.of(), "web", 8080)) {
      assertThat(forward.get("/index.html")).endsWith("served\n");
    }
  }

  @Test
  void aTerminalIsAConversation() throws Exception {
    Process terminal = kubectl.startInTerminal(Map.of(), "exec", "-it", "web", "--", "sh");
    try (Conversation shell = new Conversation(terminal)) {
      shell.say("test -t 0 && echo ter''minal");
      shell.awaitText("terminal");
      shell.say("exit 4");
      assertThat(shell.code()).isEqualTo(4);
    }
  }

  @Test
  void whoAttachesTalksToTheProcessItself() throws Exception {
    kubectl.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: talks}
        spec:
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 0
          restartPolicy: Never
          containers:
          - name: main
            image: %s
            # Again and again: containerd passes on what is said before it listens to the answer.
            command: [sh, -c, 'read line; while echo heard $line; do sleep 0.2; done']
            stdin: true
        """
            .formatted(TestImages.BUSYBOX),
        "apply",
        "-f",
        "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/talks", "--timeout=180s");
    Process attach = kubectl.start(Map.of(), "attach", "-i", "talks");
    try (Conversation talk = new Conversation(attach)) {
      talk.say("words");
      talk.awaitText("heard words");
    }
  }

  /// As in a script that runs by itself; kubectl asks for a terminal and then has none.
  @Test
  void whoHasNoTerminalIsToldSoAndDoesNotHang() {
    assertThat(
            kubectl.attempt(
                "",
                Map.of(),
                "run",
                "unattended",
                "-it",
                "--rm",
                "--restart=Never",
                "--image=" + TestImages.BUSYBOX,
                "--command",
                "--",
                "sh",
                "-c",
                "sleep 1; exit 3"))
        .satisfies(
            ended -> {
              assertThat(ended.text()).contains("falling back to streaming logs", "has a terminal");
              assertThat(ended.code()).isEqualTo(3);
            });
  }

  @Test
  void aContainerThatWasStartedAgainHasAPreviousLog() {
    kubectl.apply(
        POD.replace("name: web", "name: again").replace("sleep 0.2;", "cat /run-id; kill 1; exit;"),
        "apply",
        "-f",
        "-");
    kubectl.run(
        "wait",
        "--for=jsonpath={.status.containerStatuses[0].restartCount}=1",
        "pod/again",
        "--timeout=180s");
    assertThat(kubectl.run("logs", "again", "--previous")).contains("one\ntwo\n");
    kubectl.run("delete", "pod", "again", "--timeout=180s");
  }

  @Test
  void theLogOfAnInstanceThatHasEndedIsNotFollowedFurther() {
    kubectl.apply(
        POD.replace("name: web", "name: twice")
                .replace("image:", "volumeMounts: [{name: data, mountPath: /data}]\n    image:")
                .replace("echo one;", "echo one; [ -e /data/ran ] || { touch /data/ran; exit 1; };")
            + "  volumes: [{name: data, emptyDir: {}}]\n",
        "apply",
        "-f",
        "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/twice", "--timeout=180s");

    assertThat(kubectl.run("logs", "twice", "--previous", "--follow")).isEqualTo("one\n");
    kubectl.run("delete", "pod", "twice", "--timeout=180s");
  }

  @Test
  void aFollowedLogGoesOnWhileItsRuntimeIsAway() throws Exception {
    kubectl.apply(POD.replace("name: web", "name: steady"), "apply", "-f", "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/steady", "--timeout=180s");
    Process follow = kubectl.start(Map.of(), "logs", "-f", "steady");
    try (BufferedReader lines = follow.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("one");
      String condition = "--for=condition=RuntimeReady-containerd=";
      containerd.kill();
      kubectl.run("wait", condition + "False", "node/node-1", "--timeout=180s");
      containerd.restart();
      kubectl.run("wait", condition + "True", "node/node-1", "--timeout=180s");
      kubectl.run("exec", "steady", "--", "touch", "/stop");

      assertThat(lines.lines().toList()).contains("last");
      assertThat(follow.waitFor()).isZero();
    }
    kubectl.run("delete", "pod", "steady", "--timeout=180s");
  }

  @Test
  void whatHangsIsRefusedAtOnceAndByName() throws IOException {
    String silent =
        "runtime service containerd is not ready: it did not answer within 5 seconds. Check whether"
            + " the runtime at unix://%s hangs".formatted(containerd.socket());
    String condition = "--for=condition=RuntimeReady-containerd=";
    containerd.freeze();
    try {
      kubectl.run("wait", condition + "False", "node/node-1", "--timeout=180s");

      Instant start = Instant.now();
      assertThat(kubectl.refused("", "exec", "web", "--", "true")).contains(silent);
      assertThat(kubectl.refused("", "attach", "web")).contains(silent);
      assertThat(kubectl.refused("", "port-forward", "web", ":8080")).contains(silent);
      assertThat(kubectl.run("logs", "web")).contains("one\n");
      // Without an answer from the node each call would take ten seconds or more.
      assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(30));
    } finally {
      containerd.thaw();
    }
    kubectl.run("wait", condition + "True", "node/node-1", "--timeout=180s");
    assertThat(kubectl.run("exec", "web", "--", "echo", "back")).isEqualTo("back\n");
  }

  @Test
  void aPodIsDebuggedWithAContainerOfItsOwn() {
    kubectl.run(
        "debug",
        "web",
        "--image=" + TestImages.BUSYBOX,
        "-c",
        "looker",
        "--",
        "sh",
        "-c",
        "hostname; while true; do sleep 1; done");
    kubectl.run(
        "wait",
        "--for=jsonpath={.status.ephemeralContainerStatuses[0].state.running}",
        "pod/web",
        "--timeout=180s");
    assertThat(kubectl.run("exec", "web", "-c", "looker", "--", "hostname")).isEqualTo("web\n");
    assertThat(kubectl.run("logs", "web", "-c", "looker")).isEqualTo("web\n");
  }

  @Test
  void whoDebugsAPodMayBePrivileged() {
    String image = "--image=" + TestImages.BUSYBOX;
    kubectl.apply(POD.replace("name: web", "name: ill"), "apply", "-f", "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/ill", "--timeout=180s");
    kubectl.run(
        "debug", "ill", image, "-c", "root", "--profile=sysadmin", "--", "test", "-w", "/proc/sys");
    kubectl.run(
        "wait",
        "--for=jsonpath={.status.ephemeralContainerStatuses[0].state.terminated.exitCode}=0",
        "pod/ill",
        "--timeout=180s");
    kubectl.run("delete", "pod", "ill", "--timeout=180s");
  }

  @Test
  void topShowsWhatNodesAndPodsUse() {
    assertThat(kubectl.run("top", "node")).containsPattern("node-1 +\\d+m +\\d+% +\\d+Mi");
    assertThat(kubectl.run("top", "pod", "web", "--containers"))
        .containsPattern("web +main +\\d+m +\\d+Mi");
    assertThat(kubectl.refused("", "top", "pod", "none"))
        .contains("podmetrics.metrics.k8s.io \"default/none\" not found");
  }

  @Test
  void aFollowedLogEndsWithItsPod() throws Exception {
    kubectl.apply(POD.replace("name: web", "name: short"), "apply", "-f", "-");
    kubectl.run("wait", "--for=condition=Ready", "pod/short", "--timeout=180s");
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
  void commandsRunByPostOnlyAndFailWithTheirOutput() {
    String run = "/api/v1/nodes/node-1/proxy/run/default/web/main?cmd=";
    assertThat(kubectl.refused("", "get", "--raw", run + "ls")).contains("MethodNotAllowed");
    assertThat(kubectl.refused("", "delete", "--raw", "/api/v1/nodes/node-1/proxy/pods"))
        .contains("MethodNotAllowed");
    assertThat(kubectl.apply("", "create", "--raw", run + "echo%20out", "-f", "-"))
        .isEqualTo("out\n");
    assertThat(kubectl.refused("", "create", "--raw", run + "ls%20/none", "-f", "-"))
        .contains("command 'ls /none' exited with 1: ls: /none: No such file");
  }

  @Test
  void theNodeTellsWhatItRunsAndUses() {
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/pods"))
        .contains("\"name\":\"web\"");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/stats/summary"))
        .contains("\"nodeName\":\"node-1\"", "\"name\":\"main\"", "\"imageFs\":{", "\"rxBytes\":")
        .contains("{\"name\":\"runtime\",\"startTime\":");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/metrics/resource"))
        .contains("node_cpu_usage_seconds_total", "container=\"main\"", "scrape_error 0");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/metrics"))
        .contains("kubelet_runtime_operations_total");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/metrics/cadvisor"))
        .contains("container_cpu_usage_seconds_total{cpu=\"total\",container=\"main\"");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/metrics/probes"))
        .contains("# TYPE prober_probe_duration_seconds histogram", "pod=\"web\"");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/configz"))
        .startsWith("{\"kubeletconfig\":{\"kind\":\"KubeletConfiguration\"");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/runningpods/"))
        .contains("\"containers\":[{\"image\":\"%s\"".formatted(TestImages.BUSYBOX));
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/healthz/syncloop"))
        .isEqualTo("ok");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/node-1/proxy/logs/")).startsWith("<pre>");
    assertThat(kubectl.run("describe", "node", "node-1"))
        .contains("Starting kubelet.", "RegisteredNode", "RuntimeServiceReady");
  }
}
