package dev.berth.agent.node.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.CertificateRequestWriter;
import dev.berth.api.certificates.CertificateSigner;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A node's certificate by CertificateSigningRequest, as a kubelet gets it from any API server.
///
/// The object's name is derived from the request, so that a repeated request finds the same object.
public final class SignedRequest {
  /// Pause between two looks at the request.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final int EXISTS = 409;

  private final ResourceClient<ObjectNode> requests;
  private final String node;
  private final KeyPair keys;

  public SignedRequest(ApiClient client, String node, KeyPair keys) {
    this.requests = client.json(ResourceType.CERTIFICATE_SIGNING_REQUESTS);
    this.node = node;
    this.keys = keys;
  }

  /// A client certificate for the node, in PEM.
  ///
  /// @param patience how long to wait for an approval
  public String client(Duration patience) throws IOException, InterruptedException {
    return obtain(CertificateSigner.NODE_CLIENT, "client auth", List.of(), patience);
  }

  /// A serving certificate for the node, in PEM.
  ///
  /// @param servers names and addresses by which clients reach it
  public String serving(List<String> servers, Duration patience)
      throws IOException, InterruptedException {
    return obtain(CertificateSigner.NODE_SERVING, "server auth", servers, patience);
  }

  private String obtain(
      CertificateSigner signer, String usage, List<String> servers, Duration patience)
      throws IOException, InterruptedException {
    String name = name(signer, servers);
    long end = System.nanoTime() + patience.toNanos();
    ensure(name, signer, usage, servers);
    while (true) {
      Optional<ObjectNode> found = requests.find(new ObjectKey("", name));
      JsonNode status = found.map(object -> object.path("status")).orElse(null);
      if (status == null) {
        ensure(name, signer, usage, servers);
      } else {
        refuse(name, status);
        String certificate = status.path("certificate").asText("");
        if (!certificate.isEmpty()) {
          return new String(Base64.getDecoder().decode(certificate), StandardCharsets.US_ASCII);
        }
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            "CertificateSigningRequest %s waits for approval: `kubectl certificate approve %s`"
                .formatted(name, name));
      }
      Thread.sleep(LOOK);
    }
  }

  private static void refuse(String name, JsonNode status) throws IOException {
    for (JsonNode condition : status.path("conditions")) {
      String type = condition.path("type").asText();
      if (type.equals("Denied") || type.equals("Failed")) {
        throw new IOException(
            "CertificateSigningRequest %s was not signed: %s, %s. Delete the object to have it made again"
                .formatted(name, type, condition.path("message").asText()));
      }
    }
  }

  private void ensure(String name, CertificateSigner signer, String usage, List<String> servers) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "certificates.k8s.io/v1").put("kind", "CertificateSigningRequest");
    object.putObject("metadata").put("name", name);
    ObjectNode spec = object.putObject("spec");
    String pem =
        CertificateRequestWriter.of(
            keys, CertificateSigner.NODE_PREFIX + node, List.of(CertificateSigner.NODES), servers);
    byte[] bytes = pem.getBytes(StandardCharsets.US_ASCII);
    spec.put("request", Base64.getEncoder().encodeToString(bytes));
    spec.put("signerName", signer.signerName());
    spec.putArray("usages").add("digital signature").add(usage);
    try {
      requests.create(object);
    } catch (ApiException e) {
      if (e.code() != EXISTS) {
        throw e;
      }
    }
  }

  private String name(CertificateSigner signer, List<String> servers) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      Stream.concat(Stream.of(signer.signerName(), node), servers.stream())
          .forEach(part -> digest.update((part + "\n").getBytes(StandardCharsets.UTF_8)));
      digest.update(keys.getPublic().getEncoded());
      return "node-csr-" + HexFormat.of().formatHex(digest.digest(), 0, 20);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }
}
