package dev.berth.launch.reports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.launch.join.PinnedAuthority;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;

/// Lists every certificate whose end an administrator has to know.
public final class CertificateListing {
  /// A node that is off must not delay the list by more.
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /// The kubelet's port, for a node that reports none.
  private static final int NODE_PORT = 10_250;

  /// Certificates inside of a kubeconfig, in YAML or JSON. Keys are never matched.
  private static final Pattern EMBEDDED =
      Pattern.compile("(client-certificate|certificate-authority)-data\"?: *\"?([A-Za-z0-9+/=]+)");

  private CertificateListing() {}

  /// The certificates of a data directory, and of the servers of all nodes; the first to expire
  /// comes first.
  ///
  /// @param kubeconfig names the cluster whose nodes are asked; one that cannot be used is left out
  public static List<KnownCertificate> of(Path dataDir, Path kubeconfig, Clock clock) {
    List<KnownCertificate> all = new ArrayList<>();
    for (Path file : files(dataDir)) {
      addFile(file, all, clock);
    }
    addNodes(kubeconfig, all, clock);
    return all.stream().sorted(Comparator.comparing(KnownCertificate::expires)).toList();
  }

  /// The files that may hold certificates; files that this user cannot read are left out.
  private static List<Path> files(Path dataDir) {
    List<Path> found = new ArrayList<>();
    for (Path directory : List.of(dataDir, dataDir.resolve("pki"), dataDir.resolve("agent"))) {
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.list(directory)) {
          files
              .filter(file -> file.toString().matches(".*\\.(pem|crt|kubeconfig)"))
              .filter(Files::isReadable)
              .sorted()
              .forEach(found::add);
        } catch (IOException _) {
          // Of another user: what can be read is shown.
        }
      }
    }
    return found;
  }

  private static void addFile(Path file, List<KnownCertificate> all, Clock clock) {
    try {
      String text = Files.readString(file);
      Matcher embedded = EMBEDDED.matcher(text);
      boolean isKubeconfig = false;
      while (embedded.find()) {
        isKubeconfig = true;
        String pem =
            new String(Base64.getDecoder().decode(embedded.group(2)), StandardCharsets.US_ASCII);
        add("%s (%s)".formatted(file, embedded.group(1)), pem, all, clock);
      }
      if (!isKubeconfig && text.contains("-----BEGIN CERTIFICATE-----")) {
        add(file.toString(), text, all, clock);
      }
    } catch (IOException | IllegalArgumentException | GeneralSecurityException e) {
      all.add(KnownCertificate.unknown(file.toString(), String.valueOf(e.getMessage())));
    }
  }

  private static void add(String place, String text, List<KnownCertificate> all, Clock clock)
      throws GeneralSecurityException {
    for (X509Certificate certificate :
        KeyMaterial.certificates(text.getBytes(StandardCharsets.US_ASCII))) {
      all.add(KnownCertificate.of(place, certificate, clock.instant()));
    }
  }

  private static void addNodes(Path kubeconfig, List<KnownCertificate> all, Clock clock) {
    if (!Files.isReadable(kubeconfig)) {
      return;
    }
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth")) {
      for (ObjectNode node : connection.client().json(ResourceType.NODES).list(ListQuery.ALL)) {
        all.add(ofNode(node, clock));
      }
    } catch (ClientException e) {
      all.add(KnownCertificate.unknown("nodes", String.valueOf(e.getMessage())));
    }
  }

  /// The certificate that a node's server presents in the handshake; no request is sent. Any
  /// certificate is accepted here, an expired one above all.
  private static KnownCertificate ofNode(ObjectNode node, Clock clock) {
    String place = "node/" + node.path("metadata").path("name").asText();
    JsonNode status = node.path("status");
    int port = status.path("daemonEndpoints").path("kubeletEndpoint").path("Port").asInt(NODE_PORT);
    String address = "";
    for (JsonNode one : status.path("addresses")) {
      if (one.path("type").asText().equals("InternalIP") && address.isEmpty()) {
        address = one.path("address").asText();
      }
    }
    try (SSLSocket socket =
        (SSLSocket) PinnedAuthority.anyServer().getSocketFactory().createSocket()) {
      socket.connect(new InetSocketAddress(address, port), (int) CONNECT.toMillis());
      socket.setSoTimeout((int) CONNECT.toMillis());
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return KnownCertificate.of(place, shown, clock.instant());
    } catch (IOException | GeneralSecurityException e) {
      return KnownCertificate.unknown(place, String.valueOf(e.getMessage()));
    }
  }
}
