package dev.berth.launch.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.ControlPlaneClients;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.controlplane.StoreChoice;
import dev.berth.launch.controlplane.StoreFactory;
import dev.berth.scheduler.model.ClassScheduling;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerConfig;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.PkiConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates that somebody replaces reach all who must trust them: the administrator, the parts
/// of the control plane, and pods by `kube-root-ca.crt`.
final class ReplacedCertificatesIT {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final ObjectKey PUBLISHED = new ObjectKey("default", "kube-root-ca.crt");

  @TempDir private Path directory;

  @Test
  void aReplacedServingCertificateIsTrustedWithoutARestart() throws Exception {
    String first = given("first");
    try (ApiServer server = start(server());
        ControlPlaneClients components =
            ControlPlaneClients.start(server, config(server()), CLOCK)) {
      awaitPublished(server, ownAuthority() + first);

      String second = given("second");
      server.renewCertificates();
      components.renew();

      // That it is written says also that the controllers trust the new one.
      awaitPublished(server, ownAuthority() + second);
    }
  }

  @Test
  void anotherAuthorityIsPublishedByTheNextStart() throws Exception {
    String before;
    try (ControlPlane plane = ControlPlane.start(config(plain()))) {
      before = ownAuthority();
      awaitPublished(plane.kubeconfig(), before);
    }
    try (var files = Files.list(directory.resolve("data/pki"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    try (ControlPlane plane = ControlPlane.start(config(plain()))) {
      assertThat(ownAuthority()).isNotEqualTo(before);
      awaitPublished(plane.kubeconfig(), ownAuthority());
    }
  }

  /// Puts a new serving certificate into the file that the server was told.
  private String given(String name) throws IOException {
    ClusterPki.open(directory.resolve(name), CLOCK, List.of("127.0.0.1"));
    String pem = Files.readString(directory.resolve(name).resolve("server.pem"));
    Files.writeString(directory.resolve("serving.pem"), pem);
    String end = "-----END CERTIFICATE-----\n";
    return pem.substring(pem.indexOf("-----BEGIN CERTIFICATE"), pem.indexOf(end) + end.length());
  }

  private ServerConfig plain() {
    return ServerConfig.of(directory.resolve("data"), InetAddress.getLoopbackAddress(), 0);
  }

  private ServerConfig server() {
    Path own = directory.resolve("data/pki");
    Path file = directory.resolve("serving.pem");
    PkiConfig.Serving serving = new PkiConfig.Serving(file, file);
    return plain()
        .with(new PkiConfig(own, own, List.of("127.0.0.1"), null, List.of(), null, serving));
  }

  private static LaunchConfig config(ServerConfig server) {
    return new LaunchConfig(
        server,
        new StoreChoice.Embedded(),
        new LaunchConfig.LocalClients(true, false, ClassScheduling.OFFERED),
        null);
  }

  private static ApiServer start(ServerConfig config) throws IOException {
    return ApiServer.start(
        config,
        codec -> StoreFactory.open(new StoreChoice.Embedded(), config.dataDir(), codec, CLOCK),
        CLOCK);
  }

  private String ownAuthority() throws IOException {
    return Files.readString(directory.resolve("data/pki/ca.crt"));
  }

  private static void awaitPublished(ApiServer server, String trusted) {
    awaitPublished(server.kubeconfig(), trusted);
  }

  /// Asked as the administrator, whose kubeconfig must be good for it.
  private static void awaitPublished(Path kubeconfig, String trusted) {
    long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    String found = "";
    try (ApiClient admin = ApiClient.open(ClientConfig.fromKubeconfig(kubeconfig))) {
      while (!found.equals(trusted) && System.nanoTime() < end) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        ObjectNode map = admin.json(ResourceType.CONFIG_MAPS).find(PUBLISHED).orElse(null);
        found = map == null ? "" : map.path("data").path("ca.crt").asText();
      }
    }
    assertThat(found).isEqualTo(trusted);
  }
}
