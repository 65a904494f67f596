package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth up` with pods in virtual machines beside containers: a RuntimeClass alone makes the
/// difference.
class VmPodsIT {
  private static final Path GUEST = Path.of("../target/guest").toAbsolutePath().normalize();

  /// A cold machine boots a guest and saves it as a template, beside other work.
  private static final String READY_LIMIT = "--timeout=300s";

  @TempDir private Path temp;
  private Path data;
  private List<String> devices = List.of();

  @BeforeEach
  void check() throws IOException {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(Commands.succeeds("kubectl", "version", "--client"), "kubectl is missing");
    assumeTrue(Commands.succeeds("qemu-system-x86_64", "--version"), "QEMU is missing");
    assumeTrue(Files.isDirectory(GUEST.resolve("boot")), "no kernel is unpacked in target/guest");
    data = temp.resolve("d");
    devices = devices();
  }

  @AfterEach
  void down() throws IOException {
    if (data != null) {
      BerthUp.run("down", "--grace-period=0", "--data-dir=" + data);
    }
  }

  @Test
  void aRuntimeClassAloneMovesAPodIntoAVirtualMachine() throws Exception {
    List<Long> machine;
    try (BerthUp berth = BerthUp.start(data, "--vm-kernel-dir=" + GUEST)) {
      assertThat(berth.greeting())
          .contains("virtual machines with vm (runtime classes: vm, vm-isolated; accelerator: ");
      assertThat(
              berth.kubectl(
                  "get", "runtimeclass", "vm", "-o", "jsonpath={.overhead.podFixed.memory}"))
          .isEqualTo("96Mi");
      berth.kubectl("create", "configmap", "words", "--from-literal=word=one");
      create(berth, "runc");
      create(berth, "vm");
      berth.kubectl("wait", "--for=condition=Ready", READY_LIMIT, "pod", "--all");
      assertThat(berth.kubectl("logs", "runc")).isEqualTo(Commands.run(List.of("uname", "-r")));
      assertThat(berth.kubectl("logs", "vm").strip()).isEqualTo(guestRelease());
      assertThat(berth.kubectl("exec", "vm", "--", "cat", "/config/word")).isEqualTo("one");
      reachesEachOther(berth);
      berth.kubectl("patch", "configmap", "words", "-p", "{\"data\":{\"word\":\"two\"}}");
      await("two", () -> berth.kubectl("exec", "vm", "--", "cat", "/config/word"));
      machine = machines();
      assertThat(machine).isNotEmpty();
      berth.kill();
    }
    try (BerthUp berth = BerthUp.start(data, "--vm-kernel-dir=" + GUEST)) {
      berth.awaitExec("vm");
      assertThat(machines()).isEqualTo(machine);
      berth.kubectl("delete", "pod", "vm", "--timeout=120s");
      assertThat(machines()).isEmpty();
      create(berth, "vm");
      berth.kubectl("wait", "--for=condition=Ready", READY_LIMIT, "pod", "vm");
      berth.stop();
    }

    assertThat(BerthUp.run("down", "--data-dir=" + data))
        .contains("vm: 1 pods ended", "vm: stopped");

    assertThat(processes()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(data.toString());
    assertThat(devices()).isEqualTo(devices);
    assertThat(data.resolve("containerd/addresses")).isDirectoryNotContaining("glob:**/10.*");
  }

  private void create(BerthUp berth, String runtimeClass) throws IOException {
    Path file = temp.resolve(runtimeClass + ".json");
    Files.writeString(
        file,
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s"}, "spec": {
          "runtimeClassName": "%1$s", "terminationGracePeriodSeconds": 1,
          "containers": [{"name": "main", "image": "berth.dev/demo:1",
            "command": ["sh", "-c", "uname -r; trap 'exit 0' TERM; while :; do sleep 1; done"],
            "readinessProbe": {"periodSeconds": 1, "timeoutSeconds": 30,
              "exec": {"command": ["test", "-e", "/config/word"]}},
            "volumeMounts": [{"name": "config", "mountPath": "/config"}]}],
          "volumes": [{"name": "config", "configMap": {"name": "words"}}]}}
        """
            .formatted(runtimeClass));
    berth.kubectl("create", "-f", file.toString());
  }

  private static String guestRelease() throws IOException {
    try (Stream<Path> modules = Files.list(GUEST.resolve("lib/modules"))) {
      return modules.findFirst().orElseThrow().getFileName().toString();
    }
  }

  /// The container and the machine are in one network.
  private static void reachesEachOther(BerthUp berth) throws IOException {
    for (List<String> way : List.of(List.of("runc", "vm"), List.of("vm", "runc"))) {
      String address =
          berth.kubectl("get", "pod", way.getLast(), "-o", "jsonpath={.status.podIP}").strip();
      assertThat(
              berth.kubectl("exec", way.getFirst(), "--", "ping", "-c", "1", "-W", "10", address))
          .contains("1 packets received");
    }
  }

  private interface Question {
    String ask() throws IOException;
  }

  private static void await(String answer, Question question) throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (!question.ask().strip().equals(answer)) {
      assertThat(System.nanoTime()).as("waiting for %s", answer).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
  }

  /// Machines have no path in their command line, and work in their directory.
  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().commandLine().orElse("").contains(data.toString())
                    || worksIn(process, data))
        .toList();
  }

  private static boolean worksIn(ProcessHandle process, Path directory) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
          .startsWith(directory);
    } catch (IOException _) {
      return false; // It has ended.
    }
  }

  private List<Long> machines() {
    return processes().stream()
        .filter(process -> worksIn(process, data.resolve("vm/machines")))
        .map(ProcessHandle::pid)
        .sorted()
        .toList();
  }

  private static List<String> devices() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/sys/class/net"))) {
      return all.map(device -> device.getFileName().toString()).sorted().toList();
    }
  }
}
