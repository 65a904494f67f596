package dev.berth.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.pods.PodSettings;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.ClusterPki;
import dev.berth.server.pki.KubeconfigFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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

  /// As `kubeadm init` and `kubeadm join` write it to /var/lib/kubelet/config.yaml.
  private static final String OF_KUBEADM =
      """
      apiVersion: kubelet.config.k8s.io/v1beta1
      authentication:
        anonymous:
          enabled: false
        webhook:
          cacheTTL: 0s
          enabled: true
        x509:
          clientCAFile: /etc/kubernetes/pki/ca.crt
      authorization:
        mode: Webhook
        webhook:
          cacheAuthorizedTTL: 0s
          cacheUnauthorizedTTL: 0s
      cgroupDriver: systemd
      clusterDNS:
      - 10.96.0.10
      clusterDomain: cluster.local
      containerRuntimeEndpoint: ""
      cpuManagerReconcilePeriod: 0s
      crashLoopBackOff: {}
      evictionPressureTransitionPeriod: 0s
      fileCheckFrequency: 0s
      healthzBindAddress: 127.0.0.1
      healthzPort: 10248
      httpCheckFrequency: 0s
      imageMaximumGCAge: 0s
      imageMinimumGCAge: 0s
      kind: KubeletConfiguration
      logging:
        flushFrequency: 0
        options:
          json:
            infoBufferSize: "0"
          text:
            infoBufferSize: "0"
        verbosity: 0
      memorySwap: {}
      nodeStatusReportFrequency: 0s
      nodeStatusUpdateFrequency: 0s
      resolvConf: /run/systemd/resolve/resolv.conf
      rotateCertificates: true
      runtimeRequestTimeout: 0s
      shutdownGracePeriod: 0s
      shutdownGracePeriodCriticalPods: 0s
      staticPodPath: /etc/kubernetes/manifests
      streamingConnectionIdleTimeout: 0s
      syncFrequency: 0s
      volumeStatsAggPeriod: 0s
      """;

  @Test
  void theConfigurationThatKubeadmWritesIsAcceptedAsItIs() throws IOException {
    ClusterPki pki = pki("cluster");
    Path authority = Files.writeString(directory.resolve("ca.crt"), pki.authorityPem());

    AgentCommand.AgentSettings settings =
        read(
            config(OF_KUBEADM.replace("/etc/kubernetes/pki/ca.crt", authority.toString())),
            "--kubeconfig=" + kubeconfig(pki));

    assertThat(mistakes).isEmpty();
    assertThat(settings.rotateCertificates()).isTrue();
    assertThat(settings.healthz())
        .contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 10248));
    assertThat(settings.agent().runtimes()).isEmpty();
    PodSettings pods = settings.agent().traits().pods();
    assertThat(pods.groups().systemd()).isTrue();
    assertThat(pods.dns().servers()).containsExactly("10.96.0.10");
    assertThat(pods.dns().hostFile()).isEqualTo(Path.of("/run/systemd/resolve/resolv.conf"));
    assertThat(pods.manifests()).contains(Path.of("/etc/kubernetes/manifests"));
    // Zero stands for the default.
    assertThat(pods.pressure()).isEqualTo(PodSettings.USUAL.pressure());
    assertThat(pods.housekeeping()).isEqualTo(PodSettings.USUAL.housekeeping());
  }

  @Test
  void valuesThatDescribeWhatTheAgentDoesAreAcceptedInAnyForm() throws IOException {
    AgentCommand.AgentSettings settings =
        read(
            config(
                """
                authentication: {webhook: {cacheTTL: 2m0s}, x509: {}}
                authorization: {webhook: {cacheAuthorizedTTL: 300s}}
                enforceNodeAllocatable: [pods]
                featureGates: {}
                logging: {flushFrequency: 5000000000, format: text}
                maxPods: 0
                nodeLeaseDurationSeconds: 40
                podPidsLimit: -1
                port: 0
                streamingConnectionIdleTimeout: 4h0m0s
                topologyManagerPolicy: none
                """));

    assertThat(mistakes).isEmpty();
    assertThat(settings.agent().port()).isEqualTo(10250);
    assertThat(settings.agent().traits().maxPods()).isEqualTo(110);
    assertThat(settings.healthz()).isEmpty();
  }

  @Test
  void everyOtherValueIsRefusedWithWhatIsAccepted() throws IOException {
    String config =
        config(
            """
            authentication: {anonymous: {enabled: true}, oidc: {issuer: x}}
            authorization: {mode: AlwaysAllow}
            cpuManagerPolicy: static
            enforceNodeAllocatable: [pods, system-reserved]
            featureGates: {GracefulNodeShutdown: true}
            logging: json
            shutdownGracePeriod: 30s
            runtimeRequestTimeout: 15m
            """);

    read(config);

    assertThat(mistakes)
        .allMatch(mistake -> mistake.startsWith(config + ": "))
        .extracting(mistake -> mistake.substring(config.length() + 2))
        .satisfiesExactlyInAnyOrder(
            one ->
                assertThat(one)
                    .isEqualTo(
                        "`authentication.anonymous.enabled` is true; the agent accepts only false"),
            one -> assertThat(one).contains("`authentication.oidc`"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "`authorization.mode` is AlwaysAllow; the agent accepts only Webhook"),
            one ->
                assertThat(one)
                    .isEqualTo("`cpuManagerPolicy` is static; the agent accepts only none"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "`enforceNodeAllocatable` is pods,system-reserved; the agent accepts only pods"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "`featureGates` is {\"GracefulNodeShutdown\":true}; the agent has only its"
                            + " default, remove the field"),
            one -> assertThat(one).isEqualTo("`logging` must be a map, not json"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "`shutdownGracePeriod` is 30s; the agent has only its default, remove the"
                            + " field"),
            one ->
                assertThat(one)
                    .isEqualTo("`runtimeRequestTimeout` is 15m; the agent accepts only 2m"));
  }

  @Test
  void theClientAuthorityMustBeThatOfTheCluster() throws IOException {
    Path authority = Files.writeString(directory.resolve("ca.crt"), pki("another").authorityPem());
    Path kubeconfig = kubeconfig(pki("cluster"));
    String config = config("{authentication: {x509: {clientCAFile: %s}}}".formatted(authority));

    read(config, "--kubeconfig=" + kubeconfig);

    assertThat(mistakes)
        .containsExactly(
            config
                + (": `authentication.x509.clientCAFile` is %s; the agent accepts only a file with"
                        + " the certificate authority of the cluster, as in %s")
                    .formatted(authority, kubeconfig));
  }

  private ClusterPki pki(String name) {
    return ClusterPki.open(directory.resolve(name), Clock.systemUTC(), List.of("127.0.0.1"));
  }

  private Path kubeconfig(ClusterPki pki) {
    Path file = directory.resolve("node.kubeconfig");
    KubeconfigFile.write(
        file,
        "https://127.0.0.1:6443",
        pki.authorityPem(),
        "system:node:n1",
        pki.client(ClientIdentity.NODE_CLIENT));
    return file;
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
