package dev.berth.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EtcdTlsIT {
  @TempDir Path directory;

  private Path file(String name) {
    return directory.resolve(name);
  }

  private void openssl(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).directory(directory.toFile()).start();
      String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(errors).isZero();
    } catch (IOException e) {
      assumeTrue(false, "openssl is not on PATH");
    }
  }

  private void authority(String name) throws IOException, InterruptedException {
    openssl(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=" + name,
        "-keyout",
        name + ".key",
        "-out",
        name + ".crt");
  }

  private void certificate(String name) throws IOException, InterruptedException {
    Files.writeString(file(name + ".ext"), "subjectAltName=IP:127.0.0.1");
    openssl(
        "req",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-subj",
        "/CN=" + name,
        "-keyout",
        name + ".key",
        "-out",
        name + ".csr");
    openssl(
        "x509",
        "-req",
        "-in",
        name + ".csr",
        "-CA",
        "ca.crt",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-extfile",
        name + ".ext",
        "-out",
        name + ".crt");
  }

  private static Store<Doc> open(EtcdProcess etcd, EtcdTls tls) throws InterruptedException {
    return open(etcd, tls, Duration.ofSeconds(2));
  }

  private static Store<Doc> open(EtcdProcess etcd, EtcdTls tls, Duration patience)
      throws InterruptedException {
    EtcdConfig config =
        EtcdConfig.of(List.of(etcd.url()))
            .withTimeouts(patience, Duration.ofSeconds(5))
            .withTls(tls);
    return EtcdStore.open(config, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  @Test
  void certificatesOfBothSidesAreChecked() throws Exception {
    EtcdProcess.assumeInstalled();
    authority("ca");
    authority("other");
    certificate("server");
    certificate("client");
    try (EtcdProcess etcd =
        new EtcdProcess("one", directory, "https")
            .withArguments("--cert-file", file("server.crt").toString())
            .withArguments("--key-file", file("server.key").toString())
            .withArguments("--trusted-ca-file", file("ca.crt").toString())
            .withArguments("--client-cert-auth")) {
      etcd.start();
      etcd.awaitPort();
      EtcdTls right = new EtcdTls(file("ca.crt"), file("client.crt"), file("client.key"));
      try (Store<Doc> store = open(etcd, right, Duration.ofSeconds(30))) {
        assertThat(store.commit(Doc.create("pods/a", "x")))
            .isInstanceOf(WriteOutcome.Committed.class);
      }

      EtcdTls wrong = new EtcdTls(file("other.crt"), file("client.crt"), file("client.key"));
      assertThatThrownBy(() -> open(etcd, wrong)).isInstanceOf(StoreUnavailableException.class);
      EtcdTls anonymous = new EtcdTls(file("ca.crt"), null, null);
      assertThatThrownBy(() -> open(etcd, anonymous)).isInstanceOf(StoreUnavailableException.class);
      Path text = Files.writeString(file("text.crt"), "root:x:0:0");
      for (EtcdTls noPem : List.of(new EtcdTls(text, null, null), new EtcdTls(null, text, text))) {
        assertThatThrownBy(() -> open(etcd, noPem))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessage(
                "etcd at %s cannot be used: a certificate or key cannot be read: %s holds no CERTIFICATE in PEM. Give PEM files that this process can read",
                etcd.url(), text);
      }
      Path torn =
          Files.writeString(
              file("torn.crt"), "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----");
      assertThatThrownBy(() -> open(etcd, new EtcdTls(torn, null, null)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("a certificate or key cannot be read: ");
      EtcdTls missing = new EtcdTls(file("none.crt"), null, null);
      assertThatThrownBy(() -> open(etcd, missing))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("a certificate or key cannot be read: ")
          .hasMessageContaining("none.crt");
    }
  }
}
