package dev.berth.checks.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.images.PullCredentials;
import dev.berth.checks.TestCluster;
import dev.berth.checks.containerd.ContainerdProcess;
import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import dev.berth.checks.contract.DebianRegistry;
import dev.berth.checks.pods.HandlerNode;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The scenario of KEP-1301 on real containerd, which knows no platforms of handlers: one name,
/// several handlers, and each runs its own entry of the index.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoArchitecturesIT {
  private static final int ROUNDS = 1000;
  private static final int REMOVE_EVERY = 20;
  private static final PullCredentials REGISTRY_USER =
      new PullCredentials("", "ann", "secret", "", null);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private HandlerNode node;
  private MultiArchitectureImage image;

  /// Only pods pull this image, so that the agent knows who proved what.
  private MultiArchitectureImage secretImage;

  @BeforeAll
  @Timeout(600)
  void start(@TempDir Path directory) throws Exception {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(DebianRegistry.isInstalled());
    assumeTrue(ForeignPrograms.areUnpacked(), "busybox for arm64 is not unpacked");
    Optional<ForeignPrograms> foreign = ForeignPrograms.tryRegister();
    assumeTrue(foreign.isPresent(), "binfmt_misc cannot be mounted");
    keep(foreign.get());
    DebianRegistry registry =
        keep(DebianRegistry.start(Files.createDirectories(directory.resolve("registry"))));
    Map<String, Path> programs = new LinkedHashMap<>();
    // containerd would take the first of these that the host runs for every handler.
    programs.put("linux/amd64", Path.of("/usr/bin/busybox"));
    programs.put("linux/arm64", ForeignPrograms.busybox("arm64"));
    programs.put("linux/arm/v7", ForeignPrograms.busybox("armhf"));
    image = MultiArchitectureImage.push(registry, "team/busybox", programs, directory);
    secretImage = MultiArchitectureImage.push(registry, "team/secret", programs, directory);
    TestCluster cluster = keep(TestCluster.withoutControllers(directory.resolve("data")));
    node =
        keep(
            HandlerNode.start(
                directory.resolve("n"),
                cluster.kubeconfig(),
                Map.of("arm", "linux/arm64", "armv7", "linux/arm/v7")));
    node.apply(pullSecret("pull", registry.host(), DebianRegistry.CREDENTIALS));
    node.apply(pullSecret("wrong", registry.host(), "ann:guessed"));
  }

  @AfterAll
  void stop() throws Exception {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }

  private <T extends AutoCloseable> T keep(T one) {
    started.push(one);
    return one;
  }

  private static String pullSecret(String name, String host, String credentials) {
    String auth = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    return """
        apiVersion: v1
        kind: Secret
        metadata: {name: %s, namespace: default}
        type: kubernetes.io/dockerconfigjson
        stringData: {.dockerconfigjson: '{"auths": {"%s": {"auth": "%s"}}}'}
        """
        .formatted(name, host, auth);
  }

  private void pod(String name, String spec) {
    pod(name, spec, image);
  }

  private void pod(String name, String spec, MultiArchitectureImage image) {
    node.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          nodeName: node-1
          restartPolicy: Never
          automountServiceAccountToken: false
          %s
          containers:
          - name: main
            image: %s
            imagePullPolicy: IfNotPresent
            command: [/bin/sh, -c, '/bin/busybox uname -m > /dev/termination-log']
        """
            .formatted(name, spec, image.name()));
  }

  @Test
  void everyHandlerRunsItsOwnEntryOfOneName() {
    String secret = "imagePullSecrets: [{name: pull}]";
    pod("host", secret);
    pod("arm", secret + "\n  runtimeClassName: arm");
    pod("armv7", secret + "\n  runtimeClassName: armv7");
    // What one handler pulled is not taken for another.
    pod("arm-again", secret + "\n  runtimeClassName: arm");

    assertThat(node.message("host")).isEqualTo("x86_64");
    assertThat(node.message("arm")).isEqualTo("aarch64");
    assertThat(node.message("arm-again")).isEqualTo("aarch64");
    assertThat(node.message("armv7")).startsWith("armv");
    assertThat(status("arm").getImage()).isEqualTo(image.name());
    assertThat(status("arm").getImageID()).contains(image.manifests().get("linux/arm64"));
  }

  @Test
  void aPodWithoutTheSecretMayNotUseWhatAnotherPulled() {
    String secret = "imagePullSecrets: [{name: pull}]";
    pod("owner", secret + "\n  runtimeClassName: arm", secretImage);
    pod("owner-on-host", secret, secretImage);
    assertThat(node.message("owner")).isEqualTo("aarch64");
    assertThat(node.message("owner-on-host")).isEqualTo("x86_64");

    pod("thief", "runtimeClassName: arm", secretImage);
    pod("guesser", "imagePullSecrets: [{name: wrong}]\n  runtimeClassName: arm", secretImage);
    pod("thief-on-host", "terminationGracePeriodSeconds: 1", secretImage);

    assertThat(node.waitingMessage("thief", "ErrImagePull", "ImagePullBackOff"))
        .contains("401 Unauthorized", "Add a pull secret for registry");
    assertThat(node.waitingMessage("guesser", "ErrImagePull", "ImagePullBackOff"))
        .contains("401 Unauthorized");
    assertThat(node.waitingMessage("thief-on-host", "ErrImagePull", "ImagePullBackOff"))
        .contains("401 Unauthorized");
  }

  /// Step 3 of KEP-1301's scenario: the second handler must not get a reference of the first.
  @Test
  @Timeout(900)
  void twoHandlersThatPullAtTheSameMomentNeverGetEachOthersReference() throws Exception {
    Map<String, String> expected = new LinkedHashMap<>();
    for (String handler : List.of("", "arm", "armv7")) {
      expected.put(handler, node.pull(handler, image.name(), REGISTRY_USER));
    }
    assertThat(expected.values()).doesNotHaveDuplicates();
    Random random = new Random(1301);
    List<String> wrong = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      if (round % REMOVE_EVERY == 0) {
        node.removeImage(List.copyOf(expected.values()).get(random.nextInt(expected.size())));
      }
      List<Callable<String>> pulls = new ArrayList<>();
      expected
          .keySet()
          .forEach(handler -> pulls.add(() -> node.pull(handler, image.name(), REGISTRY_USER)));
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<String> pulled = new ArrayList<>();
        for (Future<String> one : threads.invokeAll(pulls)) {
          pulled.add(one.get());
        }
        if (!pulled.equals(List.copyOf(expected.values()))) {
          wrong.add("round %d: %s, not %s".formatted(round, pulled, expected));
        }
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(node.pulls()).isGreaterThanOrEqualTo(3L * ROUNDS);
  }

  private ContainerStatus status(String pod) {
    return node.pod(pod).getStatus().getContainerStatuses().getFirst();
  }
}
