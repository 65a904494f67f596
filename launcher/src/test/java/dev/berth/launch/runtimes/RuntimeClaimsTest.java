package dev.berth.launch.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RuntimeClaimsTest {
  @TempDir private Path temp;
  private Path socket = Path.of("");
  private Path live = Path.of("");

  @BeforeEach
  void makeDirectories() throws IOException {
    socket = Files.createDirectories(temp.resolve("run")).resolve("containerd.sock");
    live = Files.createDirectories(temp.resolve("live"));
  }

  @Test
  void aSecondAgentOfTheSameNodeIsRefusedWithWhoIsThere() {
    claims("c1 web-1", live).claim(service(socket));

    Optional<Problem> refusal = claims("c1 web-1", temp).claim(service(socket));

    assertThat(refusal.orElseThrow().toString())
        .startsWith(
            "runtime service \"containerd\" at unix://%s cannot be used: process %d ("
                .formatted(socket, ProcessHandle.current().pid()))
        .contains(" with data directory %s, since 1970-01-01T00:00:00Z manages".formatted(live))
        .contains("Stop the process", "--container-runtime-endpoint", "--node-name");
  }

  @Test
  void aLinkToTheSocketOrItsDirectoryIsTheSameSocket() throws IOException {
    claims("c1 web-1", live).claim(service(socket));
    Path link = Files.createSymbolicLink(temp.resolve("link"), socket.getParent());

    assertThat(claims("c1 web-1", temp).claim(service(link.resolve("containerd.sock"))))
        .isPresent();
  }

  @Test
  void anotherPathToTheSameSocketIsTheSameSocket() throws IOException {
    Files.createFile(socket);
    claims("c1 web-1", live).claim(service(socket));
    // As in another mount namespace: the same inode under another directory.
    Path elsewhere = Files.createLink(temp.resolve("elsewhere.sock"), socket);

    assertThat(claims("c1 web-1", temp).claim(service(elsewhere))).isPresent();
  }

  @Test
  void anotherNodeAnotherClusterAndAnotherSocketAreFree() {
    claims("c1 web-1", live).claim(service(socket));

    assertThat(claims("c1 web-2", temp).claim(service(socket))).isEmpty();
    assertThat(claims("c2 web-1", temp).claim(service(socket))).isEmpty();
    assertThat(claims("c1 web-1", temp).claim(service(socket.resolveSibling("other")))).isEmpty();
  }

  @Test
  void aServiceIsFreeAfterAsManyReleasesAsClaims() {
    RuntimeClaims first = claims("c1 web-1", live);
    first.claim(service(socket));
    first.claim(service(socket));
    first.release(service(socket));
    assertThat(claims("c1 web-1", temp).claim(service(socket))).isPresent();

    first.release(service(socket));

    assertThat(claims("c1 web-1", temp).claim(service(socket))).isEmpty();
  }

  @Test
  void aCopyIsRefusedAlsoWhileTheOriginalIsStoppedAndHasPods() throws IOException {
    RuntimeClaims first = claims("c1 web-1", live);
    first.claim(service(socket));
    Files.createDirectories(live.resolve("agent/pods/uid-1"));
    first.release(service(socket));
    Path copy = Files.createDirectories(temp.resolve("copy"));

    assertThat(claims("c1 web-1", copy).claim(service(socket)).orElseThrow().toString())
        .contains(
            "this node's pods in it belong to data directory " + live,
            "Start with --data-dir " + live,
            "berth down --data-dir " + live,
            "berth backup show");
    assertThat(claims("c1 web-1", live).claim(service(socket))).isEmpty();
  }

  @Test
  void aDataDirectoryWhosePodsHaveEndedIsForgotten() throws IOException {
    RuntimeClaims first = claims("c1 web-1", live);
    first.claim(service(socket));
    Files.createDirectories(live.resolve("agent/pods/uid-1"));
    first.release(service(socket));

    ClaimDirectory.forget(locks(), live);

    assertThat(claims("c1 web-1", temp).claim(service(socket))).isEmpty();
  }

  @Test
  void aServiceThatAKubeletUsesIsNotClaimed() {
    KubeletCheck kubelet =
        new KubeletCheck(temp, _ -> List.of("kube-system/etcd", "web/a", "web/b", "web/c"));
    RuntimeClaims beside =
        new RuntimeClaims(locks(), "c1 web-1", live, kubelet, () -> Instant.EPOCH);
    assertThat(beside.claim(service(socket))).isEmpty();
    beside.release(service(socket));

    makeSocket();

    assertThat(beside.claim(service(socket)).orElseThrow().toString())
        .isEqualTo(
            "runtime service \"containerd\" at unix://%s cannot be used: 4 pods of a kubelet run in it (kube-system/etcd, web/a, web/b, ...); a kubelet stops all pods in its runtime that it does not know. Stop the kubelet and its pods; use another runtime with --container-runtime-endpoint (`berth up`: --private-containerd starts one); or accept the risk with --ignore-kubelet"
                .formatted(socket));
    assertThat(claims("c1 web-1", live).claim(service(socket))).isEmpty();
  }

  @Test
  void everyUserHasADirectoryOfLocks() {
    assertThat(ClaimDirectory.of(true, Map.of(), "root")).isEqualTo(Path.of("/run/berth/claims"));
    assertThat(ClaimDirectory.of(false, Map.of("XDG_RUNTIME_DIR", "/run/user/7"), "ann"))
        .isEqualTo(Path.of("/run/user/7/berth/claims"));
    assertThat(ClaimDirectory.of(false, Map.of(), "ann"))
        .isEqualTo(Path.of("/tmp/berth-ann/claims"));
  }

  private void makeSocket() {
    try {
      Files.createFile(socket);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Path locks() {
    return temp.resolve("locks");
  }

  private RuntimeClaims claims(String owner, Path dataDir) {
    return new RuntimeClaims(locks(), owner, dataDir, KubeletCheck.NONE, () -> Instant.EPOCH);
  }

  private static RuntimeDeclaration service(Path socket) {
    return new RuntimeDeclaration(
        "containerd", WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(socket));
  }
}
