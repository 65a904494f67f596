package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// `berth server` in a process of its own, which a test may kill.
public final class ServerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private static final int PATIENT_MILLIS = 180_000;

  private final Process process;
  private final Path dataDir;

  private ServerProcess(Process process, Path dataDir) {
    this.process = process;
    this.dataDir = dataDir;
  }

  public static ServerProcess start(Path dataDir, String... flags) throws IOException {
    return start(dataDir, "-Xmx512m", flags);
  }

  /// One with 96 MiB of memory.
  public static ServerProcess startSmall(Path dataDir) throws IOException {
    return start(dataDir, "-Xmx96m", new String[0]);
  }

  private static ServerProcess start(Path dataDir, String heap, String[] flags) throws IOException {
    Files.createDirectories(dataDir);
    Files.deleteIfExists(dataDir.resolve("admin.kubeconfig"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                heap,
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.cli.Main",
                "server",
                "--data-dir",
                dataDir.toString(),
                "--secure-port",
                "0"));
    command.addAll(Arrays.asList(flags));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dataDir.resolve("server.log").toFile())
            .start();
    ServerProcess server = new ServerProcess(process, dataDir);
    server.awaitReady();
    return server;
  }

  private void awaitReady() throws IOException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      if (Files.exists(dataDir.resolve("admin.kubeconfig"))) {
        try (KubernetesClient client = client()) {
          if ("ok".equals(client.raw("/readyz"))) {
            return;
          }
        } catch (KubernetesClientException e) {
          // Not listening yet.
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    process.destroyForcibly();
    throw new AssertionError(
        "the server did not get ready: " + Files.readString(dataDir.resolve("server.log")));
  }

  public KubernetesClient client() throws IOException {
    return clientWith(kubeconfig());
  }

  /// The administrator's kubeconfig.
  public Path kubeconfig() {
    return dataDir.resolve("admin.kubeconfig");
  }

  /// A client of this server with the user and the trust of another kubeconfig.
  public KubernetesClient clientWith(Path kubeconfig) throws IOException {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    config.setMasterUrl(Config.fromKubeconfig(kubeconfig().toFile()).getMasterUrl());
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(patient(config)).build();
  }

  public KubernetesClient clientWithToken(String token) throws IOException {
    Config admin = Config.fromKubeconfig(kubeconfig().toFile());
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(admin.getMasterUrl())
            .withCaCertData(admin.getCaCertData())
            .withOauthToken(token)
            .build();
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(patient(config)).build();
  }

  /// A busy machine, or a node in a virtual machine, may need longer than the library's ten
  /// seconds.
  public static Config patient(Config config) {
    config.setRequestTimeout(PATIENT_MILLIS);
    config.setConnectionTimeout(PATIENT_MILLIS);
    return config;
  }

  /// As a power cut would: no chance to clean up.
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      assertThat(process.waitFor(Duration.ofMinutes(2))).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    process.destroy();
    awaitEnd();
  }
}
