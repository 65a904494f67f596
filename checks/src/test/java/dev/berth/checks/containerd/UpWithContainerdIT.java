package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.checks.contract.DebianRegistry;
import dev.berth.checks.contract.TestCertificate;
import dev.berth.checks.contract.TestIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth up` with real containers: two runtimes side by side, a crash, and an end without remains.
class UpWithContainerdIT {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final List<String> HANDLERS = List.of("runc", "crun");

  @TempDir private Path temp;
  private Path data;

  @BeforeEach
  void check() {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.CRUN));
    assumeTrue(Commands.succeeds("kubectl", "version", "--client"));
    data = temp.resolve("d");
  }

  @AfterEach
  void down() throws IOException {
    if (data != null) {
      BerthUp.run("down", "--grace-period=0", "--data-dir=" + data);
    }
  }

  @Test
  void podsRunUnderBothRuntimesOutliveACrashAndLeaveNothingBehind() throws Exception {
    String before;
    try (BerthUp berth = BerthUp.start(data)) {
      for (String handler : HANDLERS) {
        berth.kubectl("run", handler, "--image=berth.dev/demo:1", overrides(handler));
      }
      berth.kubectl("wait", "--for=condition=Ready", "--timeout=120s", "pod", "--all");
      for (String handler : HANDLERS) {
        assertThat(berth.kubectl("logs", handler)).isEqualTo("hello from " + handler + "\n");
        assertThat(berth.kubectl("exec", handler, "--", "echo", "inside")).isEqualTo("inside\n");
        assertThat(containersOf(handler)).as("states kept by %s", handler).hasSize(2);
      }
      before = containers(berth);
      berth.kill();
    }
    try (BerthUp berth = BerthUp.start(data)) {
      awaitExec(berth);
      killOneContainerd();
      awaitExec(berth);
      assertThat(containers(berth)).isEqualTo(before);
      assertThat(berth.stop()).contains("Pods keep running", "berth down --data-dir " + data);
    }
    killOneContainerd();

    assertThat(BerthUp.run("down", "--data-dir=" + data)).contains("1 pods ended", "stopped");

    assertThat(processes()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(data.toString());
    assertThat(containersOf("runc")).isEmpty();
    assertThat(containersOf("crun")).isEmpty();
    assertThat(Commands.run(List.of("ip", "route"))).doesNotContain(addressesOfPods());
    assertThat(cgroups(before)).isEmpty();
    assertThat(data.resolve("containerd/addresses")).isDirectoryNotContaining("glob:**/10.*");
  }

  @Test
  void aContainerdThatHangsDelaysOnlyItsOwnPodsAndIsEndedAllTheSame() throws Exception {
    try (BerthUp berth = BerthUp.start(data)) {
      for (String handler : HANDLERS) {
        berth.kubectl("run", handler, "--image=berth.dev/demo:1", overrides(handler));
      }
      berth.kubectl("wait", "--for=condition=Ready", "--timeout=120s", "pod", "--all");
      berth.kill();
    }
    signal("STOP");
    try (BerthUp berth = BerthUp.start(data)) {
      assertThat(berth.greeting())
          .contains("containerd-crun is NOT READY and its pods wait: it does not answer yet");
      berth.awaitExec("runc");
      berth.kubectl("run", "more", "--image=berth.dev/demo:1", overrides("runc"));
      berth.kubectl("wait", "--for=condition=Ready", "--timeout=120s", "pod", "more");
      assertThat(berth.kubectl("get", "pod", "crun", "-o", "jsonpath={.status.phase}"))
          .isEqualTo("Running");
      signal("CONT");
      berth.awaitExec("crun");
      berth.stop();
    }
    signal("STOP");

    assertThat(BerthUp.run("down", "--data-dir=" + data))
        .contains(
            "containerd-crun: killed and restarted", "1 pods ended", "containerd-crun: stopped");
    assertThat(processes()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(data.toString());
  }

  @Test
  void imagesComeFromARegistryOfAPrivateAuthority() throws Exception {
    assumeTrue(DebianRegistry.isInstalled(), "docker-registry is not installed");
    TestCertificate certificate = TestCertificate.make(temp);
    try (DebianRegistry registry =
        DebianRegistry.start(Files.createDirectories(temp.resolve("registry")), certificate)) {
      Path hosts = Files.createDirectories(temp.resolve("hosts").resolve(registry.host()));
      TestIndex.push(registry, "web", "1", TestIndex.HERE);
      Files.writeString(
          hosts.resolve("hosts.toml"),
          // containerd 1.6 reads no server in a file without a host.
          "server = \"https://%1$s\"\n[host.\"https://%1$s\"]\n".formatted(registry.host()));
      try (BerthUp berth =
          BerthUp.start(
              data,
              "--registry-ca=" + certificate.file(),
              "--registry-hosts=" + hosts.getParent())) {
        String[] login = DebianRegistry.CREDENTIALS.split(":", 2);
        berth.kubectl(
            "create",
            "secret",
            "docker-registry",
            "pull",
            "--docker-server=" + registry.host(),
            "--docker-username=" + login[0],
            "--docker-password=" + login[1]);
        berth.kubectl(
            "run",
            "web",
            "--image=" + registry.host() + "/web:1",
            "--overrides={\"spec\":{\"imagePullSecrets\":[{\"name\":\"pull\"}]}}");
        // The image has no program, so that only its pull can succeed.
        awaitEvent(berth, "Successfully pulled image \"%s/web:1\"".formatted(registry.host()));
      }
    }
  }

  private static void awaitEvent(BerthUp berth, String text) throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    String events = "";
    while (!events.contains(text)) {
      assertThat(System.nanoTime()).as("events: %s", events).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      events = berth.kubectl("get", "events", "-o", "jsonpath={.items[*].message}");
    }
  }

  /// To the containerd that has crun.
  private void signal(String name) throws IOException {
    String config = data.resolve("containerd/containerd-crun/config.toml").toString();
    long process =
        ProcessHandle.allProcesses()
            .filter(one -> one.info().commandLine().orElse("").endsWith("--config " + config))
            .findFirst()
            .orElseThrow()
            .pid();
    Commands.run(List.of("kill", "-" + name, Long.toString(process)));
  }

  private static String overrides(String handler) {
    return "--overrides={\"spec\":{\"runtimeClassName\":\"%s\"}}".formatted(handler);
  }

  private static String containers(BerthUp berth) throws IOException {
    return berth.kubectl(
        "get",
        "pods",
        "-o",
        "jsonpath={range .items[*]}{.metadata.name} {.status.containerStatuses[0].containerID}"
            + " {.status.containerStatuses[0].restartCount}{\"\\n\"}{end}");
  }

  /// The agent has found its pods when commands run in them again.
  private static void awaitExec(BerthUp berth) {
    HANDLERS.forEach(berth::awaitExec);
  }

  /// Sandboxes and containers that a low-level runtime knows of.
  private List<Path> containersOf(String handler) throws IOException {
    try (Stream<Path> files = Files.walk(data.resolve("containerd"), 5)) {
      return files
          .filter(file -> file.toString().matches(".*/containers/" + handler + "/k8s.io/[^/]+"))
          .toList();
    }
  }

  /// Its containers run on: a running Berth starts it again, `berth down` must find them all the
  /// same.
  private void killOneContainerd() throws Exception {
    ProcessHandle containerd =
        ProcessHandle.allProcesses()
            .filter(process -> process.info().commandLine().orElse("").contains("/config.toml"))
            .filter(process -> process.info().commandLine().orElse("").contains(data + "/"))
            .findFirst()
            .orElseThrow();
    containerd.destroyForcibly();
    containerd.onExit().get(120, TimeUnit.SECONDS);
  }

  private List<String> processes() {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains(data.resolve("containerd").toString()))
        .toList();
  }

  /// Those that are left of containers.
  private static List<Path> cgroups(String containers) throws IOException {
    List<String> ids =
        Pattern.compile("[0-9a-f]{64}").matcher(containers).results().map(r -> r.group()).toList();
    assertThat(ids).hasSize(HANDLERS.size());
    try (Stream<Path> directories = Files.find(CGROUPS, 7, (_, about) -> about.isDirectory())) {
      return directories
          .filter(directory -> ids.contains(directory.getFileName().toString()))
          .toList();
    }
  }

  /// What all of them start with, such as `10.77.3.`.
  private String addressesOfPods() throws IOException {
    String subnet = Files.readString(data.resolve("containerd/subnet")).strip();
    return subnet.substring(0, subnet.lastIndexOf('.') + 1);
  }
}
