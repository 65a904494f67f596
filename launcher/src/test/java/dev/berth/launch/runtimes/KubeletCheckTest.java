package dev.berth.launch.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes as `/proc` shows them; `root` is where they see their files.
final class KubeletCheckTest {
  @TempDir private Path temp;
  private Path proc = Path.of("");
  private Path socket = Path.of("");

  @BeforeEach
  void makeSocket() throws IOException {
    proc = Files.createDirectories(temp.resolve("proc"));
    socket = Files.createDirectories(temp.resolve("run")).resolve("containerd.sock");
    Files.createFile(socket);
  }

  @Test
  void theFlagOfAKubeletNamesItsRuntime() throws IOException {
    process("7", "/", "/usr/bin/kubelet", "--container-runtime-endpoint=unix://" + socket);

    assertThat(problem())
        .contains("a kubelet uses it, process 7 (/usr/bin/kubelet --container-runtime-endpoint");
  }

  @Test
  void theFlagMayStandBeforeItsValueAndWithoutAScheme() throws IOException {
    process("7", "/", "kubelet", "--container-runtime-endpoint", socket.toString());

    assertThat(problem()).contains("process 7");
  }

  @Test
  void soDoesItsConfigurationInYamlAndJson() throws IOException {
    Path yaml = temp.resolve("kubelet.yaml");
    Files.writeString(
        yaml, "kind: KubeletConfiguration\ncontainerRuntimeEndpoint: \"unix://" + socket + "\"\n");
    process("7", "/", "kubelet", "--config=" + yaml);
    assertThat(problem()).contains("process 7");

    Files.writeString(yaml, "{\"maxPods\":3,\"containerRuntimeEndpoint\":\"" + socket + "\"}");
    assertThat(problem()).contains("process 7");

    Files.writeString(yaml, "# containerRuntimeEndpoint: unix://" + socket + "\n");
    assertThat(problem()).isEmpty();
  }

  @Test
  void aKubeletInAContainerSeesItsOwnFiles() throws IOException {
    Path inside = Files.createDirectories(temp.resolve("inside/run/containerd"));
    Files.createFile(inside.resolve("containerd.sock"));
    Files.createDirectories(temp.resolve("inside/var"));
    Files.createSymbolicLink(temp.resolve("inside/var/run"), Path.of("/run"));
    String endpoint = "--container-runtime-endpoint=unix:///var/run/containerd/containerd.sock";
    process("7", "inside", "kubelet", endpoint);
    assertThat(problem()).isEmpty();

    // The directory of the machine's socket, mounted into the container.
    Files.delete(inside.resolve("containerd.sock"));
    Files.createLink(inside.resolve("containerd.sock"), socket);
    assertThat(problem()).contains("process 7");
  }

  @Test
  void otherProgramsAndOtherSocketsAreNoObstacle() throws IOException {
    process("7", "/", "kubelet", "--container-runtime-endpoint=unix:///run/crio/crio.sock");
    process("8", "/", "vim", "kubelet", "--container-runtime-endpoint=unix://" + socket);
    process("9", "/");

    assertThat(problem()).isEmpty();
  }

  private String problem() {
    RuntimeDeclaration service =
        new RuntimeDeclaration(
            "containerd", WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(socket));
    return new KubeletCheck(proc, _ -> List.of())
        .problem(service)
        .map(problem -> problem.why())
        .orElse("");
  }

  private void process(String id, String root, String... words) throws IOException {
    Path directory = Files.createDirectories(proc.resolve(id));
    Files.writeString(directory.resolve("cmdline"), String.join("\0", words) + "\0");
    Files.createSymbolicLink(
        directory.resolve("root"), root.equals("/") ? Path.of("/") : temp.resolve(root));
  }
}
