package dev.berth.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.berth.registry.configuration.RegistryAccess;
import dev.berth.registry.configuration.RegistryHosts;
import dev.berth.registry.configuration.ReloadedSettings;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.ProxySettings;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.TrustedAuthorities;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TLS with an authority of one's own, and a proxy on the way.
final class SecureRegistryIT {
  private static final String HOST = "registry.example.com";
  private static final char[] PASSWORD = "secret".toCharArray();

  @TempDir private Path directory;
  private ScriptedRegistry registry;
  private Path authority;

  @BeforeEach
  void start() throws Exception {
    Path store = directory.resolve("store.p12");
    authority = directory.resolve("authority.pem");
    keytool(
        "-genkeypair",
        "-alias",
        "a",
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + HOST,
        "-ext",
        "san=dns:%s,ip:127.0.0.1".formatted(HOST),
        "-validity",
        "2",
        "-keystore",
        store.toString(),
        "-storepass",
        "secret");
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        "a",
        "-file",
        authority.toString(),
        "-keystore",
        store.toString(),
        "-storepass",
        "secret");
    HttpsServer server = HttpsServer.create(ScriptedRegistry.address(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(store)));
    registry = new ScriptedRegistry(server);
    registry.putImage("web", "1", "linux/amd64");
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  @Test
  void onlyAKnownAuthorityIsTrusted() throws Exception {
    RegistrySettings plain =
        RegistrySettings.USUAL.withEndpoints(
            Map.of(HOST, List.of(endpoint("https://" + registry.host()))));
    try (RegistryClient client = new RegistryClient(plain)) {
      RegistryException failure =
          catchThrowableOfType(RegistryException.class, () -> resolve(client));
      assertThat(failure.kind()).isEqualTo(FailureKind.UNTRUSTED);
      assertThat(failure)
          .hasMessageContaining("TLS with registry %s fails".formatted(registry.host()))
          .hasMessageContaining("a certificate of a known authority");
    }
    try (RegistryClient client =
        new RegistryClient(plain.withTrust(TrustedAuthorities.with(List.of(authority))))) {
      assertThat(resolve(client).entry().platform()).hasToString("linux/amd64");
    }
  }

  @Test
  void aProxyCarriesTls() throws Exception {
    try (TunnelProxy proxy = new TunnelProxy(registry.host());
        RegistryClient client =
            new RegistryClient(
                RegistrySettings.USUAL
                    .withTrust(TrustedAuthorities.with(List.of(authority)))
                    .withProxies(
                        ProxySettings.ofEnvironment(Map.of("HTTPS_PROXY", proxy.address()))))) {
      assertThat(resolve(client).entry().platform()).hasToString("linux/amd64");
      assertThat(proxy.asked).containsExactly("CONNECT registry.example.com:443 HTTP/1.1");
    }
  }

  @Test
  void theAuthorityOfOneRegistryIsTrustedForThatOne() throws Exception {
    Path hosts = directory.resolve("hosts");
    writeHosts(
        hosts.resolve("docker.io"),
        "[host.\"https://%s/cache\"]\nca = \"authority.pem\"\n".formatted(registry.host()));
    writeHosts(hosts.resolve(HOST), "server = \"https://%s\"\n".formatted(registry.host()));
    registry.copy("web/manifests/1", "/cache/v2/library/web/manifests/1");
    List<String> mistakes = new ArrayList<>();
    RegistrySettings settings =
        RegistrySettings.USUAL.withEndpoints(RegistryHosts.read(hosts, List.of(), mistakes));
    assertThat(mistakes).isEmpty();

    try (RegistryClient client = new RegistryClient(settings)) {
      assertThat(resolve(client, "web:1").entry().platform()).hasToString("linux/amd64");
      assertThat(registry.requests).containsExactly("/cache/v2/library/web/manifests/1 -");
      RegistryException failure =
          catchThrowableOfType(RegistryException.class, () -> resolve(client));
      assertThat(failure.kind()).isEqualTo(FailureKind.UNTRUSTED);
    }

    Map<String, List<RegistryEndpoint>> common =
        RegistryHosts.read(hosts, List.of(authority), mistakes);
    try (RegistryClient client =
        new RegistryClient(
            RegistrySettings.USUAL
                .withEndpoints(common)
                .withTrust(TrustedAuthorities.with(List.of(authority))))) {
      assertThat(resolve(client).entry().platform()).hasToString("linux/amd64");
    }
  }

  @Test
  void oneMirrorServesSeveralRegistriesByTheirNames() throws Exception {
    registry.putImage("library/web", "1", "linux/amd64");
    Path hosts = directory.resolve("hosts");
    writeHosts(hosts.resolve("_default"), "[host.\"https://%s\"]\n".formatted(registry.host()));
    try (RegistryClient client = new RegistryClient(configured(hosts))) {
      resolve(client, HOST + ":5000/web:1");
      resolve(client, "web:1");
      // The registry itself is asked as usual.
      resolve(client, registry.host() + "/web:1");
    }
    assertThat(registry.queries).containsExactly("ns=" + HOST + ":5000", "ns=docker.io");
    assertThat(registry.requests).hasSize(3);
  }

  @Test
  void serverOfAllOtherRegistriesGetsNoCredentialsOfTheirs() throws Exception {
    registry.access = ScriptedRegistry.AccessMode.PASSWORD;
    Path hosts = directory.resolve("hosts");
    writeHosts(hosts.resolve("_default"), "server = \"https://%s\"\n".formatted(registry.host()));
    List<RegistryCredentials> ann = List.of(RegistryCredentials.of("ann", "secret"));
    try (RegistryClient client = new RegistryClient(configured(hosts))) {
      RegistryException failure =
          catchThrowableOfType(
              RegistryException.class, () -> resolve(client, HOST + "/web:1", ann));
      assertThat(failure.kind()).isEqualTo(FailureKind.UNAUTHORIZED);
      assertThat(registry.requests).noneMatch(request -> request.contains("Basic"));

      // A directory of its own says that this is the registry.
      writeHosts(hosts.resolve(HOST), "server = \"https://%s\"\n".formatted(registry.host()));
    }
    try (RegistryClient client = new RegistryClient(configured(hosts))) {
      assertThat(resolve(client, HOST + "/web:1", ann).entry().platform())
          .hasToString("linux/amd64");
    }
  }

  @Test
  void changedFilesCountWithoutARestart() throws Exception {
    Path hosts = directory.resolve("hosts");
    writeHosts(hosts.resolve(HOST), "server = \"https://127.0.0.1:1\"\n");
    AtomicLong nanos = new AtomicLong();
    ReloadedSettings settings =
        new ReloadedSettings(new RegistryAccess(configured(hosts), authority, hosts), nanos::get);
    try (RegistryClient client = new RegistryClient(settings)) {
      assertThat(catchThrowableOfType(RegistryException.class, () -> resolve(client)).kind())
          .isEqualTo(FailureKind.UNREACHABLE);

      writeHosts(hosts.resolve(HOST), "server = \"https://%s\"\n".formatted(registry.host()));
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());

      assertThat(resolve(client).entry().platform()).hasToString("linux/amd64");
    }
  }

  private RegistrySettings configured(Path hosts) throws Exception {
    return RegistrySettings.USUAL
        .withEndpoints(RegistryHosts.read(hosts, List.of(), new ArrayList<>()))
        .withTrust(TrustedAuthorities.with(List.of(authority)));
  }

  @Test
  void aMirrorThatDoesNotResolveIsNotAskedForTags() throws Exception {
    Path hosts = directory.resolve("hosts");
    writeHosts(
        hosts.resolve("_default"),
        "[host.\"https://%s\"]\ncapabilities = [\"pull\"]\n".formatted(registry.host()));
    try (ScriptedRegistry own = new ScriptedRegistry();
        RegistryClient client =
            new RegistryClient(
                RegistrySettings.USUAL
                    .withEndpoints(RegistryHosts.read(hosts, List.of(), new ArrayList<>()))
                    .withTrust(TrustedAuthorities.with(List.of(authority))))) {
      own.putImage("web", "1", "linux/amd64");
      String digest = registry.putImage("web", "2", "linux/amd64", "linux/arm64");
      resolve(client, own.host() + "/web:1");
      resolve(client, own.host() + "/web@" + digest);

      assertThat(own.requests).containsExactly("/v2/web/manifests/1 -");
      assertThat(registry.requests).containsExactly("/v2/web/manifests/" + digest + " -");
    }
  }

  private void writeHosts(Path host, String text) throws IOException {
    Files.createDirectories(host);
    Files.writeString(host.resolve("hosts.toml"), text);
    Files.copy(authority, host.resolve("authority.pem"), StandardCopyOption.REPLACE_EXISTING);
  }

  private static ResolvedImage resolve(RegistryClient client) {
    return resolve(client, HOST + "/web:1");
  }

  private static ResolvedImage resolve(RegistryClient client, String image) {
    return resolve(client, image, List.of());
  }

  private static ResolvedImage resolve(
      RegistryClient client, String image, List<RegistryCredentials> credentials) {
    return client.resolve(
        new ImageRequest(
            ImageReference.parse(image).orElseThrow(), credentials, Duration.ofSeconds(20)),
        TargetPlatform.of(ImagePlatform.parse("linux/amd64").orElseThrow()));
  }

  private static RegistryEndpoint endpoint(String base) {
    return new RegistryEndpoint(
        URI.create(base), dev.berth.registry.credentials.RegistryCredentials.NONE, false);
  }

  private static SSLContext context(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store)) {
      keys.load(file, PASSWORD);
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addFirst(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  /// A proxy that connects everything to one address.
  private static final class TunnelProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final String target;

    TunnelProxy(String target) throws IOException {
      this.target = target;
      listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(this::accept);
    }

    String address() {
      return "http://127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = listener.accept();
          sockets.add(client);
          Thread.ofVirtual().start(() -> tunnel(client));
        }
      } catch (IOException _) {
        // Closed.
      }
    }

    private void tunnel(Socket client) {
      try {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          head.append((char) client.getInputStream().read());
        }
        asked.add(head.toString().split("\r\n", 2)[0]);
        String[] parts = target.split(":", 2);
        Socket server = new Socket();
        server.connect(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])));
        sockets.add(server);
        client
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        Thread.ofVirtual().start(() -> copy(server, client));
        copy(client, server);
      } catch (IOException _) {
        // One side went away.
      }
    }

    private static void copy(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException _) {
        // One side went away.
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
