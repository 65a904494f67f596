package dev.berth.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How the URLs are called that runtimes answer for streams.
final class RuntimeUrlIT {
  private static final BackendCall CALL =
      new BackendCall("GET", "/exec/1", HttpFields.EMPTY, RequestBody.NONE, false);
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path directory;

  @Test
  void aCertificateThatTheRuntimeMadeForItselfIsTakenHere() throws Exception {
    try (SSLServerSocket server = selfSigned()) {
      Thread.ofVirtual().start(() -> answer(server));
      URI url = URI.create("https://127.0.0.1:%d/exec/1".formatted(server.getLocalPort()));

      try (BackendAnswer answer = CALL.send(RelayBackend.ofRuntime(url))) {
        assertThat(answer.text(100)).isEqualTo("over TLS");
      }
    }
  }

  @Test
  void elsewhereTheSystemHasToTrustIt() throws Exception {
    SSLContext elsewhere = RelayBackend.ofRuntime(URI.create("https://192.0.2.1:9/exec/1")).tls();
    try (SSLServerSocket server = selfSigned()) {
      Thread.ofVirtual().start(() -> answer(server));
      RelayBackend asIfItWere = new RelayBackend("127.0.0.1", server.getLocalPort(), elsewhere);

      assertThatThrownBy(() -> CALL.send(asIfItWere)).isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void plainUrlsAreCalledPlainly() throws Exception {
    assertThat(RelayBackend.ofRuntime(URI.create("http://[::1]:7/exec/1")))
        .isEqualTo(new RelayBackend("::1", 7, null));
    assertThatThrownBy(() -> RelayBackend.ofRuntime(URI.create("unix://host/exec/1")))
        .hasMessage(
            "the runtime's URL unix://host/exec/1 has scheme unix (supported: http, https)");
  }

  private static void answer(SSLServerSocket server) {
    try (Socket socket = server.accept()) {
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      socket
          .getOutputStream()
          .write("HTTP/1.1 200 OK\r\n\r\nover TLS".getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // The client did not like the certificate.
    }
  }

  private SSLServerSocket selfSigned() throws Exception {
    Path file = directory.resolve("keys.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    int code =
        new ProcessBuilder(
                (keytool
                        + " -genkeypair -keyalg EC -alias a -dname CN=runtime -storetype PKCS12"
                        + " -storepass changeit -keystore "
                        + file)
                    .split(" "))
            .inheritIO()
            .start()
            .waitFor();
    assertThat(code).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return (SSLServerSocket)
        context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
