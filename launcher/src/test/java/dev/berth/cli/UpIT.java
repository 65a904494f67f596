package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth up` as a process of its own: its words, its neighbours, its end.
final class UpIT {
  @TempDir private Path temp;

  @Test
  void itSaysWhereEverythingIsAndStopsOnSigterm() throws Exception {
    Path data = temp.resolve("data");
    try (BerthProcess berth = BerthProcess.up(data)) {
      String greeting = berth.awaitGreeting();

      assertThat(greeting)
          .contains("is ready", "https://127.0.0.1:", "SIMULATED", "Ctrl-C")
          .contains("kubectl --kubeconfig " + data.resolve("admin.kubeconfig") + " get ns");
      assertThat(permissions(data)).isEqualTo("rwx------");
      assertThat(permissions(data.resolve("admin.kubeconfig"))).isEqualTo("rw-------");

      assertThat(berth.terminate()).isEqualTo(143);
      assertThat(berth.errors()).doesNotContain("WARN", "ERROR", "Exception");
    }
  }

  @Test
  void whatItMakesInADirectoryForAllToSeeIsPrivate() throws Exception {
    Path data = Files.createDirectory(temp.resolve("data"));
    Files.createDirectories(data.resolve("agent/logs"));
    for (Path open : List.of(data, data.resolve("agent"))) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (BerthProcess berth = BerthProcess.up(data)) {
      berth.awaitGreeting();
      try (Stream<Path> made = Files.list(data)) {
        assertThat(made.toList())
            .contains(data.resolve("agent"), data.resolve("pki"))
            .allSatisfy(path -> assertThat(permissions(path)).endsWith("------"));
      }
    }
  }

  @Test
  void aFileInTheWayOfTheDirectoryIsNamed() throws Exception {
    Path file = Files.createFile(temp.resolve("file"));
    try (BerthProcess berth = BerthProcess.up(file.resolve("data"))) {
      assertThat(berth.exitCode()).isEqualTo(1);
      assertThat(berth.errors())
          .isEqualTo(
              "berth: cannot start with data directory %s/data: %s is a file, not a directory. Move that file away, or choose another directory with --data-dir\n"
                  .formatted(file, file));
    }
  }

  @Test
  void theMachineBecomesAReadyNodeWithItsRuntime() throws Exception {
    Path data = temp.resolve("data");
    try (BerthProcess berth = BerthProcess.up(data, "--secure-port=0", "--node-name=web-1")) {
      berth.awaitGreeting();
      try (ApiClient client =
          ApiClient.open(ClientConfig.fromKubeconfig(data.resolve("admin.kubeconfig")))) {
        ObjectNode node = awaitReady(client, "web-1");

        assertThat(node.at("/metadata/labels/runtime.berth.dev~1simulator").asText())
            .isEqualTo("container");
        assertThat(node.at("/status/runtimeHandlers").toString()).contains("runc");
        assertThat(node.at("/status/nodeInfo/containerRuntimeVersion").asText())
            .startsWith("berth-sim://");
        assertThat(node.at("/status/addresses/0/address").asText()).isEqualTo("127.0.0.1");
        assertThat(
                client
                    .json(ResourceType.LEASES)
                    .get(new ObjectKey("kube-node-lease", "web-1"))
                    .at("/spec/holderIdentity")
                    .asText())
            .isEqualTo("web-1");
      }
    }
  }

  @Test
  void imagesAreListedAndArchivesAreOnlyForContainerd() throws Exception {
    Path data = temp.resolve("data");
    Path archive = Files.createFile(temp.resolve("web.tar"));
    try (BerthProcess berth = BerthProcess.up(data)) {
      berth.awaitGreeting();
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();

      assertThat(run(out, err, "images", "list", "--data-dir=" + data)).isZero();
      assertThat(run(out, err, "images", "load", archive + "", "--data-dir=" + data)).isOne();

      assertThat(out.toString()).startsWith("IMAGE");
      assertThat(err.toString())
          .startsWith(
              "Warning: images are not loaded into \"simulator\": only containerd loads archives");
    }
  }

  private static int run(StringWriter out, StringWriter err, String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private static ObjectNode awaitReady(ApiClient client, String name) {
    long end = System.nanoTime() + 180_000_000_000L;
    while (System.nanoTime() < end) {
      ObjectNode node = client.json(ResourceType.NODES).find(new ObjectKey("", name)).orElse(null);
      if (node != null
          && node.at("/status/conditions").toString().contains("KubeletReady")
          && client
              .json(ResourceType.LEASES)
              .find(new ObjectKey("kube-node-lease", name))
              .isPresent()) {
        return node;
      }
      LockSupport.parkNanos(10_000_000);
    }
    throw new AssertionError("no ready node " + name);
  }

  @Test
  void downIsRefusedWhileItRuns() throws Exception {
    Path data = temp.resolve("data");
    try (BerthProcess berth = BerthProcess.up(data)) {
      berth.awaitGreeting();
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();

      assertThat(run(out, err, "down", "--data-dir=" + data)).isOne();

      assertThat(err.toString())
          .startsWith("berth: pods of data directory %s cannot be stopped".formatted(data))
          .contains("process " + berth.pid())
          .endsWith("Stop the process first\n");
    }
  }

  @Test
  void twoRunSideBySideAndASecondOneInTheSameDirectoryIsRefused() throws Exception {
    Path data = temp.resolve("data");
    try (BerthProcess first = BerthProcess.up(data);
        BerthProcess other = BerthProcess.up(temp.resolve("other"))) {
      first.awaitGreeting();
      other.awaitGreeting();

      try (BerthProcess second = BerthProcess.up(data)) {
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.errors())
            .startsWith(
                "berth: data directory %s is in use: process %d (berth up --simulate --data-dir=%s"
                    .formatted(data, first.pid(), data))
            .endsWith("Stop the process, or choose another directory with --data-dir\n");
      }
    }
  }

  @Test
  void aTakenPortIsToldWithTheProcessThatHoldsIt() throws Exception {
    try (BerthProcess first = BerthProcess.up(temp.resolve("first"))) {
      int port = first.awaitPort();

      try (BerthProcess second = BerthProcess.up(temp.resolve("second"), "--secure-port=" + port)) {
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.errors())
            .startsWith(
                "berth: cannot listen on 127.0.0.1 port %d: process %d (berth up --simulate"
                    .formatted(port, first.pid()))
            .contains("--secure-port (0 takes any free one)");
      }
    }
  }

  @Test
  void theSameCommandGivenTwiceIsToldThatBerthRunsAlready() throws Exception {
    Path data = temp.resolve("data");
    try (BerthProcess first = BerthProcess.up(data)) {
      int port = first.awaitPort();

      try (BerthProcess second = BerthProcess.up(data, "--secure-port=" + port)) {
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.errors())
            .startsWith(
                "berth: Berth already runs with data directory %s: process %d (berth up --simulate"
                    .formatted(data, first.pid()))
            .contains(
                "Use the running one with `kubectl --kubeconfig %s/admin.kubeconfig`"
                    .formatted(data))
            .endsWith("start a second control plane with --data-dir DIR --secure-port 0\n");
      }
    }
  }

  @Test
  void itComesBackWithTheSameCertificatesAfterAStop() throws Exception {
    Path data = temp.resolve("data");
    String authority;
    try (BerthProcess berth = BerthProcess.up(data)) {
      berth.awaitGreeting();
      authority = Files.readString(data.resolve("pki/ca.crt"));
      berth.terminate();
    }
    try (BerthProcess berth = BerthProcess.up(data)) {
      berth.awaitGreeting();
      assertThat(data.resolve("pki/ca.crt")).content().isEqualTo(authority);
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
