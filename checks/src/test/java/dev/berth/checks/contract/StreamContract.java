package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.ContainerStats;
import dev.berth.cri.v1.ContainerStatsRequest;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.ExecSyncRequest;
import dev.berth.cri.v1.ExecSyncResponse;
import dev.berth.cri.v1.ListContainerStatsRequest;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.ReopenContainerLogRequest;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/// Logs, commands, terminals, ports and statistics of containers.
interface StreamContract extends RuntimeUnderTest {
  String RUNS = "while true; do sleep 0.1; done";
  String TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z";

  @Test
  default void outputIsLoggedLineByLine() throws IOException {
    String id =
        cri()
            .start("log", Cri.container("main", "sh", "-c", "echo out; echo err >&2; printf rest"));
    cri().awaitEnd(id);

    Path log = cri().logs().resolve("main.log");
    Cri.await(() -> lines(log).size() == 3);
    assertThat(lines(log))
        .anySatisfy(line -> assertThat(line).matches(TIME + " stdout F out"))
        .anySatisfy(line -> assertThat(line).matches(TIME + " stderr F err"))
        .anySatisfy(line -> assertThat(line).matches(TIME + " stdout P rest"));
  }

  @Test
  default void aLogIsReopenedAfterItWasMoved() throws IOException {
    String script = "while true; do echo tick; sleep 0.1; done";
    String id = cri().start("reopen", Cri.container("main", "sh", "-c", script));
    Path log = cri().logs().resolve("main.log");
    Cri.await(() -> log.toFile().length() > 0);
    Files.move(log, cri().logs().resolve("old.log"));

    cri()
        .runtime()
        .reopenContainerLog(ReopenContainerLogRequest.newBuilder().setContainerId(id).build());

    Cri.await(() -> log.toFile().length() > 0);
  }

  @Test
  default void aCommandRunsBesideTheContainer() {
    String id = cri().start("exec", Cri.container("main", "sh", "-c", RUNS));

    ExecSyncResponse response = exec(id, 0, "sh", "-c", "echo hi; echo e >&2; exit 7");
    assertThat(response.getStdout().toStringUtf8()).isEqualTo("hi\n");
    assertThat(response.getStderr().toStringUtf8()).isEqualTo("e\n");
    assertThat(response.getExitCode()).isEqualTo(7);
    exec(id, 0, "touch", "/tmp/made");
    assertThat(exec(id, 0, "test", "-f", "/tmp/made").getExitCode()).isZero();
    assertThat(exec(id, 0, "cat", "/tmp/none").getExitCode()).isEqualTo(1);

    Cri.refused(
        () -> exec(id, 1, "sleep", "100"),
        Status.Code.DEADLINE_EXCEEDED,
        "failed to exec in container: timeout 1s exceeded: context deadline exceeded");
    Cri.refused(
        () -> exec(id, 0, "nope"),
        Status.Code.UNKNOWN,
        "failed to exec in container: failed to start exec \"[0-9a-f]{64}\": OCI runtime exec"
            + " failed: .*nope.* not found in \\$PATH.*");
  }

  @Test
  default void whatDoesNotRunHasNoCommandsTerminalsOrStatistics() {
    PodSandboxConfig pod = cri().pod("idle");
    String id = cri().create(cri().run(pod), pod, Cri.container("main", "true"));
    Cri.refused(
        () -> exec(id, 0, "true"),
        Status.Code.UNKNOWN,
        "failed to exec in container: container is in CONTAINER_CREATED state");
    Cri.refused(
        () -> execUrl(id, true, false, false),
        Status.Code.UNKNOWN,
        "container is in CONTAINER_CREATED state");
    Cri.refused(
        () -> attachUrl(id), Status.Code.UNKNOWN, "container is in CONTAINER_CREATED state");
    Cri.refused(
        () ->
            cri()
                .runtime()
                .reopenContainerLog(
                    ReopenContainerLogRequest.newBuilder().setContainerId(id).build()),
        Status.Code.UNKNOWN,
        "container is not running");
    Cri.refused(() -> stats(id), Status.Code.UNKNOWN, "unexpected metrics response: \\[\\]");
  }

  @Test
  default void statisticsAreOfTheContainer() {
    String id = cri().start("stats", Cri.container("main", "sh", "-c", RUNS));

    Cri.await(() -> stats(id).getCpu().getUsageCoreNanoSeconds().getValue() > 0);
    ContainerStats stats = stats(id);
    assertThat(stats.getAttributes().getId()).isEqualTo(id);
    assertThat(stats.getAttributes().getLabelsMap()).containsEntry("container", "main");
    assertThat(stats.getMemory().getWorkingSetBytes().getValue()).isPositive();
    assertThat(stats.getCpu().getTimestamp()).isPositive();
    assertThat(
            cri()
                .runtime()
                .listContainerStats(ListContainerStatsRequest.getDefaultInstance())
                .getStatsList())
        .hasSize(1);
  }

  @Test
  default void terminalsAndPortsHaveUrls() {
    String id = cri().start("urls", Cri.container("main", "sh", "-c", RUNS));
    String sandbox =
        cri()
            .runtime()
            .listPodSandbox(ListPodSandboxRequest.getDefaultInstance())
            .getItems(0)
            .getId();

    assertThat(execUrl(id, true, false, false)).matches("http://127.0.0.1:[0-9]+/exec/[^/]+");
    assertThat(attachUrl(id)).matches("http://127.0.0.1:[0-9]+/attach/[^/]+");
    assertThat(portForwardUrl(sandbox, 80)).matches("http://127.0.0.1:[0-9]+/portforward/[^/]+");
    Cri.refused(
        () -> execUrl(id, false, false, false),
        Status.Code.INVALID_ARGUMENT,
        "one of stdin, stdout, or stderr must be set");
    Cri.refused(
        () -> execUrl(id, true, true, true),
        Status.Code.INVALID_ARGUMENT,
        "tty and stderr cannot both be true");
  }

  @Test
  default void aTerminalSpeaksTheRemoteCommandProtocol() {
    String id = cri().start("terminal", Cri.container("main", "sh", "-c", RUNS));
    ExecRequest request =
        ExecRequest.newBuilder()
            .setContainerId(id)
            .addAllCmd(List.of("sh", "-c", "echo out; echo err >&2; exit 4"))
            .setStdout(true)
            .setStderr(true)
            .build();

    RemoteCommandClient client =
        RemoteCommandClient.connect(cri().runtime().exec(request).getUrl());
    Cri.await(client::ended);

    assertThat(client.text(1)).isEqualTo("out\n");
    assertThat(client.text(2)).isEqualTo("err\n");
    assertThat(client.text(3))
        .contains("\"status\":\"Failure\"", "\"reason\":\"ExitCode\",\"message\":\"4\"");
  }

  @Test
  default void whatIsTypedReachesTheCommand() {
    String id = cri().start("typed", Cri.container("main", "sh", "-c", RUNS));
    ExecRequest request =
        ExecRequest.newBuilder()
            .setContainerId(id)
            .addCmd("sh")
            .setStdin(true)
            .setStdout(true)
            .build();
    RemoteCommandClient client =
        RemoteCommandClient.connect(cri().runtime().exec(request).getUrl());

    client.send(0, "echo typed; exit 0\n");
    Cri.await(client::ended);

    assertThat(client.text(1)).isEqualTo("typed\n");
    assertThat(client.text(3)).contains("\"status\":\"Success\"");
  }

  @Test
  default void whoeverAttachesSeesWhatTheContainerPrints() {
    String script = "while true; do echo tick; sleep 0.1; done";
    String id = cri().start("attached", Cri.container("main", "sh", "-c", script));

    try (RemoteCommandClient client = RemoteCommandClient.connect(attachUrl(id))) {
      Cri.await(() -> client.text(1).contains("tick\n"));
    }
  }

  /// The server in the container gives back what it gets, as a simulated port does.
  @Test
  default void aPortLeadsIntoThePod() {
    PodSandboxConfig pod = cri().pod("forwarded");
    String sandbox = cri().run(pod);
    String echo = "nc -ll -p 7070 -e cat";
    cri().start(cri().create(sandbox, pod, Cri.container("main", echo.split(" ", -1))));

    Cri.await(() -> echoes(portForwardUrl(sandbox, 7070)));
  }

  /// Both channels begin with the port's number, data follow. False when nobody listens yet.
  private static boolean echoes(String url) {
    try (RemoteCommandClient client = RemoteCommandClient.connect(url)) {
      client.send(0, "ping\n");
      Cri.await(
          () -> client.ended() || client.text(0).endsWith("ping\n") || client.text(1).length() > 2);
      return client.text(0).endsWith("ping\n");
    } catch (CompletionException _) {
      return false;
    }
  }

  private String portForwardUrl(String sandbox, int port) {
    return cri()
        .runtime()
        .portForward(PortForwardRequest.newBuilder().setPodSandboxId(sandbox).addPort(port).build())
        .getUrl();
  }

  private ExecSyncResponse exec(String id, long timeout, String... command) {
    return cri()
        .runtime()
        .execSync(
            ExecSyncRequest.newBuilder()
                .setContainerId(id)
                .addAllCmd(List.of(command))
                .setTimeout(timeout)
                .build());
  }

  private String execUrl(String id, boolean stdout, boolean stderr, boolean tty) {
    return cri()
        .runtime()
        .exec(
            ExecRequest.newBuilder()
                .setContainerId(id)
                .addCmd("true")
                .setStdout(stdout)
                .setStderr(stderr)
                .setTty(tty)
                .build())
        .getUrl();
  }

  private String attachUrl(String id) {
    return cri()
        .runtime()
        .attach(AttachRequest.newBuilder().setContainerId(id).setStdout(true).build())
        .getUrl();
  }

  private ContainerStats stats(String id) {
    return cri()
        .runtime()
        .containerStats(ContainerStatsRequest.newBuilder().setContainerId(id).build())
        .getStats();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
