package dev.berth.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The API server to connect to, the credentials, and the timeouts.
///
/// The fabric8 library reads the kubeconfig. Instances are immutable.
public final class ClientConfig {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration BODY_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final Pattern SERVER = Pattern.compile("https?://[^/\\s]+(/\\S*)?");

  private final Config config;

  private ClientConfig(Config config) {
    this.config = config;
  }

  /// Reads the current context of a kubeconfig file.
  ///
  /// @throws IllegalArgumentException when it cannot be used; the message gives the reason and
  ///   quotes nothing of the file, which contains secrets
  public static ClientConfig fromKubeconfig(Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "cannot read the kubeconfig %s: perhaps the server has not been started yet, or runs as"
                  .formatted(file)
              + " another user");
    }
    return of(parse(file));
  }

  private static Config parse(Path file) {
    Config config;
    try {
      config = Config.fromKubeconfig(file.toFile());
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "it is not YAML with clusters, users, contexts and a current-context", e);
    }
    if (config.getCurrentContext() == null) {
      throw new IllegalArgumentException("its current-context is not among its contexts");
    }
    if (!SERVER.matcher(config.getMasterUrl()).matches()) {
      throw new IllegalArgumentException("its server is not a URL such as https://10.0.0.1:6443");
    }
    return config;
  }

  /// Reads a kubeconfig from text; it must contain its certificates instead of paths.
  public static ClientConfig fromKubeconfigText(String yaml) {
    return of(Config.fromKubeconfig(yaml));
  }

  /// A client certificate over a server whose certificate the given authority signed; all in PEM.
  public static ClientConfig of(
      URI server, String authority, String certificate, String privateKey) {
    return of(
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server.toString())
            .withCaCertData(base64(authority))
            .withClientCertData(base64(certificate))
            .withClientKeyData(base64(privateKey))
            .build());
  }

  /// A bearer token over a server whose certificate the given authority signed.
  public static ClientConfig ofToken(URI server, String authority, String token) {
    return of(
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server.toString())
            .withCaCertData(base64(authority))
            .withOauthToken(token)
            .build());
  }

  private static ClientConfig of(Config config) {
    // The caller knows whether a request may be repeated; the library would also repeat creates.
    config.setRequestRetryBackoffLimit(0);
    config.setUserAgent("berth");
    return new ClientConfig(config);
  }

  /// Names the program in the server's logs and, up to the first `/`, in `managedFields`.
  public ClientConfig withUserAgent(String userAgent) {
    Config copy = new ConfigBuilder(config).withUserAgent(userAgent).build();
    copy.setRequestRetryBackoffLimit(0);
    return new ClientConfig(copy);
  }

  /// With another client certificate.
  ///
  /// @param file in PEM, with the private key
  public ClientConfig withCertificate(Path file) {
    Config copy =
        new ConfigBuilder(config)
            .withClientCertData(null)
            .withClientKeyData(null)
            .withClientCertFile(file.toString())
            .withClientKeyFile(file.toString())
            .build();
    copy.setRequestRetryBackoffLimit(0);
    return new ClientConfig(copy);
  }

  /// The server's address without a trailing slash.
  public URI server() {
    String url = config.getMasterUrl();
    return URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
  }

  /// The certificate authority of the server, in PEM; empty when it is one that the JVM trusts.
  public String authority() {
    return ClientTls.authority(config);
  }

  /// The client certificate in PEM; empty when it is not the only credential.
  ///
  /// @throws IllegalArgumentException when it cannot be read
  public String certificate() {
    return isByCertificate() ? ClientTls.certificate(config) : "";
  }

  /// The time limit for the head of an answer.
  Duration answerTimeout() {
    return ANSWER_TIMEOUT;
  }

  /// The time limit for the body of an answer after its head; watches have none.
  Duration bodyTimeout() {
    return BODY_TIMEOUT;
  }

  Duration connectTimeout() {
    return CONNECT_TIMEOUT;
  }

  /// Whether a client certificate is the only credential.
  boolean isByCertificate() {
    boolean hasCertificate =
        config.getClientCertData() != null || config.getClientCertFile() != null;
    boolean hasToken =
        config.getOauthToken() != null
            || config.getAutoOAuthToken() != null
            || config.getOauthTokenProvider() != null;
    return hasCertificate && !hasToken && config.getUsername() == null;
  }

  /// The files that the kubeconfig names.
  List<Path> files() {
    return Stream.of(config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile())
        .filter(file -> file != null && !file.isEmpty())
        .map(Path::of)
        .toList();
  }

  /// Returns this configuration if certificate and key belong together.
  ///
  /// @throws IllegalArgumentException when they do not, such as while another process replaces them
  public ClientConfig requireKeyPair() {
    ClientTls.requireKeyPair(config);
    return this;
  }

  Config fabric8() {
    return config;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
