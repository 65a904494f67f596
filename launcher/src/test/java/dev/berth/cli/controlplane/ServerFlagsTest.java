package dev.berth.cli.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.controlplane.StoreChoice;
import dev.berth.scheduler.model.ClassScheduling;
import dev.berth.server.ServerConfig;
import dev.berth.server.admission.images.SteeringMode;
import dev.berth.server.admission.images.SteeringSettings;
import dev.berth.server.admission.plugins.AdmissionConfig;
import dev.berth.server.audit.AuditConfig;
import dev.berth.server.http.guard.InflightLimits;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.pki.PkiConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class ServerFlagsTest {
  @TempDir private Path directory;

  @Test
  void withoutFlagsItIsLoopbackOnTheUsualPortWithTheEmbeddedStore() {
    LaunchConfig config = parse().config();

    assertThat(config.server().bindAddress()).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    assertThat(config.server().port()).isEqualTo(6443);
    assertThat(config.store()).isEqualTo(new StoreChoice.Embedded());
    assertThat(config.server().kinds().immutableRuntimeHandlers()).isFalse();
    assertThat(config.dataDir()).isAbsolute().hasFileName("berth");
  }

  @Test
  void controllersAndSchedulerMayBeLeftToOthers() {
    assertThat(parse().config().clients()).isEqualTo(LaunchConfig.LocalClients.ALL);
    assertThat(parse("--no-controllers").config().clients())
        .isEqualTo(new LaunchConfig.LocalClients(false, true, ClassScheduling.OFFERED));
    assertThat(parse("--no-scheduler").config().clients())
        .isEqualTo(new LaunchConfig.LocalClients(true, false, ClassScheduling.OFFERED));
    assertThat(parse("--no-serving-certificate-approval").config().clients())
        .isEqualTo(new LaunchConfig.LocalClients(true, true, false, ClassScheduling.OFFERED));
  }

  @Test
  void everyMistakeOfAnEncryptionConfigurationIsReported() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("encryption.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: EncryptionConfiguration
            resources:
              - resources: [secrets]
                providers: [{kms: {}}]
              - providers: [{identity: {}}]
            """);

    assertThat(parse("--encryption-provider-config", file.toString()).mistakes())
        .containsExactly(
            "--encryption-provider-config="
                + file
                + ": resources[0].providers[0].kms: is not provided by this server; use aesgcm, or"
                + " identity for values that are not encrypted",
            "--encryption-provider-config="
                + file
                + ": resources[1].resources: at least one resource is required, such as secrets");
    assertThat(parse("--encryption-provider-config=/none").mistakes())
        .containsExactly(
            "--encryption-provider-config=/none: must be a YAML file that this user can read");
  }

  @Test
  void theAuditLogNeedsAPolicyAndAPlace() throws IOException {
    Path policy =
        Files.writeString(
            directory.resolve("policy.yaml"),
            "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
    Path log = directory.resolve("audit.log");

    assertThat(parse().config().server().http().audit()).isNull();
    AuditConfig audit =
        parse(
                "--audit-policy-file=" + policy,
                "--audit-log-path=" + log,
                "--audit-log-maxage=7",
                "--audit-log-maxbackup=3",
                "--audit-log-maxsize=10",
                "--audit-log-compress")
            .config()
            .server()
            .http()
            .audit();
    assertThat(Objects.requireNonNull(audit).file()).contains(log);
    assertThat(audit.rotation())
        .isEqualTo(new AuditConfig.Rotation(10 << 20, 3, Duration.ofDays(7), true));
    assertThat(parse("--audit-policy-file=" + policy).mistakes())
        .containsExactly(
            "--audit-policy-file: needs --audit-log-path as well, otherwise nothing is recorded");
    assertThat(parse("--audit-log-path=-", "--audit-log-maxage=x").mistakes())
        .containsExactly(
            "--audit-log-maxage=x: must be a number from 0 to 100000",
            "--audit-log-path: needs --audit-policy-file as well, otherwise nothing is recorded");
    Files.writeString(policy, "kind: Policy\napiVersion: audit.k8s.io/v1\nrules: [{}, {a: 1}]\n");
    assertThat(parse("--audit-policy-file=" + policy, "--audit-log-path=" + directory).mistakes())
        .hasSize(4)
        .allMatch(mistake -> mistake.startsWith("--audit-"));
  }

  @Test
  void aRelativeDataDirectoryIsTakenFromTheWorkingDirectory() {
    assertThat(parse("--data-dir", "a/../b").config().dataDir())
        .isEqualTo(Path.of("b").toAbsolutePath());
  }

  @Test
  void aFileIsNoDataDirectory() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThat(parse("--data-dir", file.toString()).mistakes())
        .containsExactly(
            "--data-dir=" + file + ": must name a directory (it is made when it does not exist)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "65536", "http", "", "6443x", "000000"})
  void portsOutsideTheRangeAreRefused(String port) {
    assertThat(parse("--secure-port=" + port).mistakes())
        .containsExactly(
            "--secure-port=" + port + ": must be a number from 0 to 65535 (0 takes any free port)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::1", "127.0.0.2"})
  void addressesAreTakenAsTheyAre(String address) {
    assertThat(parse("--bind-address", address).config().server().bindAddress())
        .isEqualTo(InetAddress.ofLiteral(address));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "1.2.3.x", "", "256.1.1.1"})
  void namesAndBrokenAddressesAreRefusedWithoutALookUp(String address) {
    assertThat(parse("--bind-address=" + address).mistakes())
        .singleElement()
        .asString()
        .startsWith("--bind-address=" + address + ": must be an IPv4 or IPv6 address");
  }

  @Test
  void theApiServersServiceHasTheFirstAddressOfTheRange() {
    ServerConfig server =
        parse("--service-cluster-ip-range=10.0.0.9/24", "--advertise-address=192.0.2.7")
            .config()
            .server();

    assertThat(server.network().services().first()).isEqualTo("10.0.0.1");
    assertThat(server.pki().names()).contains("10.0.0.1", "192.0.2.7");
    assertThat(parse().config().server().network().services().first()).isEqualTo("10.96.0.1");
    assertThat(
            parse("--service-cluster-ip-range=10.0.0.0", "--advertise-address=127.0.0.1")
                .mistakes())
        .containsExactly(
            "--service-cluster-ip-range=10.0.0.0: must be a range of addresses such as 10.96.0.0/16"
                + " or fd00:10:96::/112",
            "--advertise-address=127.0.0.1: must be an IPv4 or IPv6 address of this machine that"
                + " others reach, not a loopback or link-local address");
  }

  @Test
  void etcdTakesItsServersAndFiles() throws IOException {
    Path pem = Files.createFile(directory.resolve("x.pem"));

    LaunchConfig config =
        parse(
                "--store=etcd",
                "--etcd-servers=https://a:2379, https://b:2379/",
                "--etcd-cafile=" + pem,
                "--etcd-certfile=" + pem,
                "--etcd-keyfile=" + pem)
            .config();

    assertThat(config.store())
        .isEqualTo(
            new StoreChoice.Etcd(
                List.of(URI.create("https://a:2379"), URI.create("https://b:2379/")),
                "/berth/",
                pem,
                pem,
                pem));
  }

  @Test
  void etcdWithoutServersIsRefused() {
    assertThat(parse("--store=etcd").mistakes())
        .containsExactly("--store=etcd: needs --etcd-servers, such as http://127.0.0.1:2379");
  }

  @ParameterizedTest
  @CsvSource({
    "a:2379, must look like",
    "http://a, must look like",
    "http://a:1/path, must look like",
    "ftp://a:1, must look like",
    "'http://a:1,', must look like",
    "'http://a:1,https://b:1', must all be http or all be https"
  })
  void brokenEtcdServersAreRefused(String servers, String reason) {
    assertThat(parse("--store=etcd", "--etcd-servers=" + servers).mistakes())
        .singleElement()
        .asString()
        .contains(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"registry/east", "/registry/east", "/registry/east/"})
  void theKeysInEtcdMayHaveAnotherPrefix(String prefix) {
    LaunchConfig config =
        parse("--store=etcd", "--etcd-servers=http://a:1", "--etcd-prefix=" + prefix).config();

    assertThat(config.store())
        .isEqualTo(
            new StoreChoice.Etcd(
                List.of(URI.create("http://a:1")), "/registry/east/", null, null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "//", "a//b", "a b"})
  void anEtcdPrefixThatIsNoPathIsRefused(String prefix) {
    assertThat(
            parse("--store=etcd", "--etcd-servers=http://a:1", "--etcd-prefix=" + prefix)
                .mistakes())
        .containsExactly("--etcd-prefix=" + prefix + ": must be a path, such as /berth");
  }

  @Test
  void anEtcdCertificateNeedsItsKeyAndTls() throws IOException {
    Path pem = Files.createFile(directory.resolve("x.pem"));

    assertThat(
            parse("--store=etcd", "--etcd-servers=http://a:1", "--etcd-certfile=" + pem).mistakes())
        .containsExactly(
            "--etcd-servers=http://a:1: must be https when certificate files are given",
            "--etcd-certfile: needs --etcd-keyfile as well, a certificate is no use without its"
                + " key");
  }

  @Test
  void etcdFlagsWithTheEmbeddedStoreAreRefused() {
    assertThat(parse("--etcd-servers=http://a:1", "--etcd-cafile=x").mistakes())
        .containsExactly(
            "--etcd-servers, --etcd-cafile: only with --store etcd (the store is sqlite)");
  }

  @Test
  void theNumberOfConnectionsOfOneAddressCanBeSet() {
    HttpLimits standard = HttpLimits.STANDARD;
    assertThat(limits()).isEqualTo(standard);
    assertThat(standard.perAddress()).isEqualTo(standard.connections() / 2);
    assertThat(limits("--max-connections-per-address=7").perAddress()).isEqualTo(7);
    assertThat(limits("--max-connections-per-address=0").perAddress())
        .isEqualTo(standard.connections());
    assertThat(parse("--max-connections-per-address=many").mistakes())
        .containsExactly("--max-connections-per-address=many: must be a number, 0 for no limit");
  }

  private HttpLimits limits(String... flags) {
    return parse(flags).config().server().http().limits();
  }

  @Test
  void theNumberOfRequestsAtOnceCanBeSet() {
    assertThat(parse().config().server().http().inflight()).isEqualTo(InflightLimits.STANDARD);
    assertThat(
            parse("--max-requests-inflight=10", "--max-mutating-requests-inflight=0")
                .config()
                .server()
                .http()
                .inflight())
        .isEqualTo(new InflightLimits(10, 0, true));
    assertThat(parse("--max-requests-inflight=-1").mistakes())
        .containsExactly("--max-requests-inflight=-1: must be a number, 0 for no limit");
  }

  @Test
  void priorityAndFairnessCanBeSwitchedOff() {
    String none = "--max-requests-inflight=0";
    String noWrites = "--max-mutating-requests-inflight=0";
    assertThat(
            parse("--enable-priority-and-fairness=false", none, noWrites)
                .config()
                .server()
                .http()
                .inflight())
        .isEqualTo(new InflightLimits(0, 0, false));
    assertThat(parse("--enable-priority-and-fairness").config().server().http().inflight())
        .isEqualTo(InflightLimits.STANDARD);
    assertThat(parse("--enable-priority-and-fairness=perhaps").mistakes())
        .containsExactly("--enable-priority-and-fairness=perhaps: must be true or false");
    assertThat(parse(none, noWrites).mistakes())
        .containsExactly(
            "--max-requests-inflight=0 and --max-mutating-requests-inflight=0: the sum must be"
                + " positive with --enable-priority-and-fairness, which divides it between users");
  }

  @Test
  void admissionIsConfiguredByAFile() throws IOException {
    assertThat(parse().config().server().http().admission().podSecurity())
        .isEqualTo(AdmissionConfig.STANDARD.podSecurity());
    Path file =
        Files.writeString(
            directory.resolve("admission.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
            - name: PodSecurity
              configuration:
                apiVersion: pod-security.admission.config.k8s.io/v1
                kind: PodSecurityConfiguration
                defaults: {enforce: LEVEL}
            """
                .replace("LEVEL", "baseline"));
    String flag = "--admission-control-config-file=" + file;
    assertThat(parse(flag).config().server().http().admission().podSecurity().defaults())
        .hasToString("enforce=baseline:latest");
    Files.writeString(file, Files.readString(file).replace("baseline", "tight"));
    assertThat(parse(flag).mistakes())
        .containsExactly(
            flag
                + ": plugins[0].configuration.defaults.enforce: Invalid value: \"tight\": must be"
                + " one of privileged, baseline, restricted");
    assertThat(parse("--admission-control-config-file=/none").mistakes())
        .containsExactly(
            "--admission-control-config-file=/none: must be a YAML file that this user can read");
  }

  @Test
  void podsAreSteeredByTheirImagesAsFlagsSay() throws IOException {
    SteeringSettings usual = parse().config().server().http().admission().steering();
    assertThat(usual.with(SteeringSettings.STANDARD.registries()))
        .isEqualTo(SteeringSettings.STANDARD);

    Path hosts = Files.createDirectories(directory.resolve("hosts/quay.io"));
    Files.writeString(hosts.resolve("hosts.toml"), "[host.\"https://mirror.example.com\"]\n");
    SteeringSettings steering =
        parse(
                "--image-steering=select",
                "--image-steering-timeout=500ms",
                "--image-steering-failure=refuse",
                "--registry-hosts=" + hosts.getParent())
            .config()
            .server()
            .http()
            .admission()
            .steering();
    assertThat(steering.mode()).isEqualTo(SteeringMode.SELECT);
    assertThat(steering.limit()).isEqualTo(Duration.ofMillis(500));
    assertThat(steering.refuseUnknown()).isTrue();
    assertThat(steering.registries().get().endpoints().get("quay.io")).hasSize(2);
  }

  @Test
  void everyMistakeInFlagsOfImageSteeringIsTold() {
    assertThat(
            parse(
                    "--image-steering=on",
                    "--image-steering-timeout=11s",
                    "--image-steering-failure=ignore",
                    "--registry-hosts=/none")
                .mistakes())
        .containsExactlyInAnyOrder(
            "--image-steering=on: must be one of off, refuse, select",
            "--image-steering-timeout=11s: must be a time up to 10s, such as 500ms or 3s",
            "--image-steering-failure=ignore: must be allow or refuse",
            "--registry-hosts=/none: must be a directory that this user can read");
    for (String wrong : List.of("0s", "1m", "-1s", "")) {
      assertThat(parse("--image-steering-timeout=" + wrong).mistakes()).hasSize(1);
    }
  }

  @Test
  void identityComesFromTheDataDirectoryUnlessToldOtherwise() {
    PkiConfig pki = parse("--data-dir=" + directory).config().server().pki();
    assertThat(pki.shared()).isEqualTo(directory.resolve("pki")).isEqualTo(pki.own());
    assertThat(pki.names()).contains("127.0.0.1");
    assertThat(pki.serving()).isNull();
  }

  @Test
  void identityCanBeGivenInFiles() throws IOException {
    Path pem = Files.createFile(directory.resolve("x.pem"));
    ServerConfig server =
        parse(
                "--data-dir=" + directory,
                "--cert-dir=" + directory.resolve("shared"),
                "--tls-sans=api.example.com, 192.0.2.1,*.example.org",
                "--tls-cert-file=" + pem,
                "--tls-private-key-file=" + pem,
                "--client-ca-file=" + pem,
                "--service-account-signing-key-file=" + pem,
                "--service-account-key-file=" + pem,
                "--service-account-key-file=" + pem,
                "--token-auth-file=" + pem)
            .config()
            .server();
    assertThat(server.pki().names()).contains("api.example.com", "192.0.2.1", "*.example.org");
    assertThat(server.pki())
        .isEqualTo(
            new PkiConfig(
                directory.resolve("shared"),
                directory.resolve("pki"),
                server.pki().names(),
                pem,
                List.of(pem, pem),
                pem,
                new PkiConfig.Serving(pem, pem)));
    assertThat(server.http().tokenFile()).isEqualTo(pem);
  }

  @Test
  void filesOfIdentityThatCannotBeUsedAreAllTold() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(
            parse(
                    "--cert-dir=" + file,
                    "--tls-sans=a_b,c",
                    "--tls-cert-file=" + file,
                    "--client-ca-file=missing",
                    "--token-auth-file=missing")
                .mistakes())
        .containsExactlyInAnyOrder(
            "--token-auth-file=missing: must be a file that this user can read",
            "--cert-dir=" + file + ": must name a directory (it is made when it does not exist)",
            "--tls-sans=a_b,c: 'a_b' must be a host name in lower case or an IP address",
            "--client-ca-file=missing: must be a PEM file that this user can read",
            "--tls-cert-file: needs --tls-private-key-file as well, a certificate is no use without"
                + " its key");
  }

  private static ServerFlags parse(String... args) {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs(args);
    return holder.flags;
  }

  @Command
  private static final class Holder {
    @Mixin private ServerFlags flags;
  }
}
