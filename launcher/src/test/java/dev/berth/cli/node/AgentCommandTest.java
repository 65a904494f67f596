package dev.berth.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class AgentCommandTest {
  @TempDir private Path directory;
  private final List<String> mistakes = new ArrayList<>();

  @Test
  void withoutAFileTheClientCertificateIsRenewedAndTheServersIsNotRequested() {
    AgentCommand.AgentSettings settings = read();

    assertThat(mistakes).isEmpty();
    assertThat(settings.rotateCertificates()).isTrue();
    assertThat(settings.agent().requestServing()).isFalse();
    assertThat(settings.agent().port()).isEqualTo(10250);
  }

  @Test
  void fieldsOfCertificatesInTheConfigurationFileStandForTheirFlags() throws IOException {
    String config =
        config(
            """
            apiVersion: kubelet.config.k8s.io/v1beta1
            kind: KubeletConfiguration
            rotateCertificates: false
            serverTLSBootstrap: true
            port: 10255
            """);

    AgentCommand.AgentSettings settings = read(config);

    assertThat(mistakes).isEmpty();
    assertThat(settings.rotateCertificates()).isFalse();
    assertThat(settings.agent().requestServing()).isTrue();
    assertThat(settings.agent().port()).isEqualTo(10255);
  }

  @Test
  void aFlagCountsMoreThanTheFile() throws IOException {
    String config = config("{rotateCertificates: false, serverTLSBootstrap: true, port: 10255}");

    AgentCommand.AgentSettings settings =
        read(config, "--rotate-certificates", "--rotate-server-certificates=false", "--port=0");

    assertThat(mistakes).isEmpty();
    assertThat(settings.rotateCertificates()).isTrue();
    assertThat(settings.agent().requestServing()).isFalse();
    assertThat(settings.agent().port()).isZero();
  }

  @Test
  void theServingCertificateOfTheFileNeedsItsKey() throws IOException {
    Path certificate = Files.writeString(directory.resolve("node.crt"), "");

    read(config("{tlsCertFile: %s}".formatted(certificate)));

    assertThat(mistakes)
        .containsExactly(
            "--tls-cert-file: needs --tls-private-key-file as well, a certificate is no use without"
                + " its key");
  }

  @Test
  void aSwitchIsTrueOrFalse() {
    read("--rotate-certificates=maybe");

    assertThat(mistakes).containsExactly("--rotate-certificates=maybe: must be true or false");
  }

  private String config(String text) throws IOException {
    return "--config=" + Files.writeString(directory.resolve("kubelet.yaml"), text);
  }

  private AgentCommand.AgentSettings read(String... args) {
    AgentCommand command = new AgentCommand();
    new CommandLine(command).parseArgs(args);
    return command.read(mistakes);
  }
}
