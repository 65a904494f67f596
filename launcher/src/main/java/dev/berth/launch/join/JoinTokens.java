package dev.berth.launch.join;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Problem;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.client.ClientException;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.launch.process.LaunchException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/// Creates bootstrap tokens with which machines join a cluster.
public final class JoinTokens {
  /// The alphabet of bootstrap tokens, which the API checks.
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

  private JoinTokens() {}

  /// A token, and the server that it is for.
  public record Made(URI server, JoinToken token) {
    /// Whether other machines cannot reach the server at this address.
    public boolean isForThisMachineOnly() {
      String host = String.valueOf(server.getHost());
      try {
        return host.equals("localhost")
            || InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
      } catch (IllegalArgumentException _) {
        return false; // a name, which is not resolved for this
      }
    }
  }

  /// Creates a token that expires, as a Secret in kubeadm's format.
  public static Made create(Path kubeconfig, Duration life) {
    return create(kubeconfig, life, false);
  }

  /// Creates a token that expires.
  ///
  /// @param rejoin whether the token may replace nodes that exist
  public static Made create(Path kubeconfig, Duration life, boolean rejoin) {
    SecureRandom random = new SecureRandom();
    String id = letters(random, 6);
    String secret = letters(random, 16);
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth")) {
      String fingerprint = JoinToken.fingerprint(KeyMaterial.certificate(connection.authority()));
      create(connection, secret(id, secret, life, rejoin));
      return new Made(connection.server(), new JoinToken(id, secret, fingerprint));
    } catch (CertificateException e) {
      throw new LaunchException(
          new Problem(
              "the token cannot be created",
              "the certificate authority in " + kubeconfig + " cannot be read",
              "Use the kubeconfig that `berth up` or `berth server` wrote"),
          e);
    }
  }

  private static void create(ServerConnection connection, ObjectNode secret) {
    try {
      connection.client().json(ResourceType.SECRETS).create(secret);
    } catch (ClientException e) {
      throw connection.refusal("the token cannot be created", e);
    }
  }

  private static ObjectNode secret(String id, String secret, Duration life, boolean rejoin) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "v1").put("kind", "Secret");
    object
        .putObject("metadata")
        .put("namespace", "kube-system")
        .put("name", "bootstrap-token-" + id);
    object.put("type", "bootstrap.kubernetes.io/token");
    ObjectNode data = object.putObject("stringData");
    data.put("token-id", id).put("token-secret", secret);
    data.put(
        "expiration",
        Clock.systemUTC().instant().plus(life).truncatedTo(ChronoUnit.SECONDS).toString());
    data.put("usage-bootstrap-authentication", "true").put("usage-bootstrap-signing", "true");
    if (rejoin) {
      data.put("auth-extra-groups", "system:bootstrappers:rejoin");
    }
    data.put("description", "created by `berth token`");
    return object;
  }

  private static String letters(SecureRandom random, int length) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return word.toString();
  }
}
