package dev.berth.checks.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.ServerProcess;
import dev.berth.launch.backup.BackupDirectory;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Encrypted Secrets are nowhere in the files as plain text, whatever was there before.
class SecretsAtRestIT {
  private static final String OLD_KEY = key("old", "0123456789abcdef");
  private static final String NEW_KEY = key("new", "fedcba9876543210fedcba9876543210");
  private static final String IDENTITY = "      - identity: {}\n";

  @TempDir Path directory;

  private static String key(String name, String secret) {
    return "            - {name: %s, secret: %s}\n".formatted(name, base64(secret));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private String[] encryption(String keys, String... more) throws IOException {
    Path file = directory.resolve("encryption.yaml");
    Files.writeString(
        file,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
          - resources: [secrets]
            providers:
              - aesgcm:
                  keys:
        """
            + keys
            + String.join("", more));
    return new String[] {"--encryption-provider-config", file.toString()};
  }

  private static Secret secret(String name, String value) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .addToData("password", base64(value))
        .build();
  }

  private static String read(KubernetesClient client, String name) {
    return Objects.requireNonNull(
        client.secrets().inNamespace("default").withName(name).get().getData().get("password"));
  }

  @Test
  void secretsAreEncryptedRotatedAndLeaveNothingBehind() throws Exception {
    Path data = directory.resolve("data");
    try (ServerProcess server = ServerProcess.start(data);
        KubernetesClient client = server.client()) {
      client.resource(secret("before", "needle-before")).create();
      client.resource(secret("large", "needle-large!".repeat(3_000))).create();
      client.resource(secret("deleted", "needle-deleted")).create();
      client.resource(secret("deleted", "needle-deleted")).delete();
    }
    assertThat(filesWith(data, "needle-before")).isNotEmpty();

    try (ServerProcess server = ServerProcess.start(data, encryption(OLD_KEY, IDENTITY));
        KubernetesClient client = server.client()) {
      assertThat(read(client, "before")).isEqualTo(base64("needle-before"));
      client.resource(secret("after", "needle-after")).create();
      assertThat(filesWith(data, "needle-after")).isEmpty();
      writeAgain(server);
      assertThat(filesContaining(data, "k8s:enc:aesgcm:v1:old:")).isNotEmpty();
      Path backup = directory.resolve("backup");
      new BackupDirectory(backup).fill(data);
      assertThat(filesWith(backup, "needle-before")).isEmpty();
    }
    // The write-ahead log goes when the server ends.
    for (String value :
        List.of("needle-before", "needle-large", "needle-deleted", "needle-after")) {
      assertThat(filesWith(data, value)).isEmpty();
    }

    try (ServerProcess server = ServerProcess.start(data, encryption(NEW_KEY + OLD_KEY));
        KubernetesClient client = server.client()) {
      assertThat(read(client, "before")).isEqualTo(base64("needle-before"));
      writeAgain(server);
    }
    try (ServerProcess server = ServerProcess.start(data, encryption(NEW_KEY));
        KubernetesClient client = server.client()) {
      assertThat(read(client, "after")).isEqualTo(base64("needle-after"));
      assertThat(client.secrets().inNamespace("default").list().getItems()).hasSize(3);
    }
  }

  @Test
  void aMissingKeyCostsItsObjectsOnly() throws Exception {
    Path data = directory.resolve("data");
    try (ServerProcess server = ServerProcess.start(data, encryption(OLD_KEY));
        KubernetesClient client = server.client()) {
      client.resource(secret("lost", "value")).create();
    }
    try (ServerProcess server = ServerProcess.start(data, encryption(NEW_KEY));
        KubernetesClient client = server.client()) {
      assertThatThrownBy(() -> read(client, "lost"))
          .hasMessageContaining(
              "secrets/default/lost cannot be read: it is encrypted with key \"old\" of aesgcm, and"
                  + " --encryption-provider-config has only \"new\" for it. Start the server with"
                  + " --encryption-provider-config that has key \"old\", behind newer keys if there"
                  + " are any");
      assertThatThrownBy(() -> client.secrets().inNamespace("default").list())
          .hasMessageContaining("secrets/default/lost cannot be read");
      assertThatThrownBy(() -> client.resource(secret("lost", "other")).create())
          .hasMessageContaining("already exists");
      client.resource(secret("found", "value")).create();
      assertThat(read(client, "found")).isEqualTo(base64("value"));
      assertThat(client.configMaps().inNamespace("default").list().getItems()).isNotNull();

      String path = "/api/v1/namespaces/default/secrets/lost";
      assertThatThrownBy(() -> client.resource(secret("lost", "")).delete())
          .hasMessageContaining("secrets/default/lost cannot be read");
      client.raw(path + "?ignoreStoreReadErrorWithClusterBreakingPotential=true", "DELETE", null);
      assertThat(client.secrets().inNamespace("default").list().getItems()).hasSize(1);
    }
  }

  @Test
  void secretsInEtcdAreEncryptedAsWell() throws Exception {
    assumeTrue(EtcdProcess.isInstalled(), "etcd is not on PATH (Debian: etcd-server)");
    try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"))) {
      List<String> flags =
          new ArrayList<>(List.of("--store", "etcd", "--etcd-servers", etcd.url()));
      flags.addAll(List.of(encryption(NEW_KEY)));
      String[] all = flags.toArray(String[]::new);
      try (ServerProcess one = ServerProcess.start(directory.resolve("one"), all);
          ServerProcess two = ServerProcess.start(directory.resolve("two"), all);
          KubernetesClient writer = one.client();
          KubernetesClient reader = two.client()) {
        writer.resource(secret("shared", "needle-shared")).create();
        assertThat(read(reader, "shared")).isEqualTo(base64("needle-shared"));
        assertThat(filesContaining(directory.resolve("etcd"), "k8s:enc:aesgcm:v1:new:"))
            .isNotEmpty();
        assertThat(filesWith(directory.resolve("etcd"), "needle-shared")).isEmpty();
      }
    }
  }

  /// As the documentation has it.
  private static void writeAgain(ServerProcess server) throws Exception {
    String kubectl = "kubectl --kubeconfig " + server.kubeconfig();
    output(
        "sh",
        "-c",
        "%1$s get secrets --all-namespaces -o json | %1$s replace -f -".formatted(kubectl));
  }

  private static String output(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(Duration.ofMinutes(3))).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  /// Files that hold a value as it is in the object, or as it was before base64.
  private static List<Path> filesWith(Path directory, String value) throws IOException {
    List<Path> found = new ArrayList<>(filesContaining(directory, value));
    found.addAll(filesContaining(directory, base64(value)));
    return found;
  }

  private static List<Path> filesContaining(Path directory, String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), ISO_8859_1).contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }
}
