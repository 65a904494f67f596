package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.certificates.CertificateRequestWriter;
import dev.berth.api.certificates.DetachedSignature;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import dev.berth.checks.TestCluster;
import dev.berth.client.ClientConfig;
import dev.berth.launch.join.JoinTokens;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// CertificateSigningRequests with kubectl: a person's, a new node's as a kubelet makes them, and
/// those of somebody who wants more.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CertificatesIT {
  private static final String CLIENT = "kubernetes.io/kube-apiserver-client";
  private static final String NODE_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet";
  private static final String SERVING = "kubernetes.io/kubelet-serving";

  private Path directory;
  private TestCluster cluster;
  private Kubectl admin;
  private Kubectl joiner;
  private JoinTokens.Made made;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    assumeTrue(Kubectl.isInstalled(), "kubectl is not on PATH (Debian: kubernetes-client)");
    directory = temporary;
    cluster = TestCluster.withNode(directory.resolve("data"), List.of());
    admin = new Kubectl(cluster.kubeconfig(), directory.resolve("cache"));
    made = JoinTokens.create(cluster.kubeconfig(), Duration.ofHours(1));
    joiner = as("joiner", "token: " + made.token().id() + "." + made.token().secret());
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private Kubectl as(String name, String credentials) throws IOException {
    ClientConfig present = ClientConfig.fromKubeconfig(cluster.kubeconfig());
    String file =
        """
        {apiVersion: v1, kind: Config, current-context: c,
         clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}],
         users: [{name: u, user: {%s}}], contexts: [{name: c, context: {cluster: c, user: u}}]}
        """
            .formatted(present.server(), encoded(present.authority()), credentials);
    return new Kubectl(
        Files.writeString(directory.resolve(name + ".kubeconfig"), file),
        directory.resolve("cache"));
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String document(String name, String signer, String pem, String usages) {
    return """
        ---
        {apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name: %s},
         spec: {signerName: %s, request: %s, expirationSeconds: 3600, usages: [%s]}}
        """
        .formatted(name, signer, encoded(pem), usages);
  }

  private String certificate(String name) {
    admin.run("wait", "--for=jsonpath={.status.certificate}", "csr/" + name, "--timeout=60s");
    String data = admin.run("get", "csr", name, "-o", "jsonpath={.status.certificate}");
    return new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII);
  }

  @Test
  void aPersonApprovesAndTheUserIsLetIn() throws Exception {
    KeyPair keys = KeyMaterial.newKeys();
    String pem = CertificateRequestWriter.of(keys, "alice", List.of("dev"), List.of());
    admin.apply(document("alice", CLIENT, pem, "client auth"), "create", "-f", "-");
    assertThat(admin.run("get", "csr", "alice"))
        .containsPattern("NAME +AGE +SIGNERNAME +REQUESTOR +REQUESTEDDURATION +CONDITION")
        .containsPattern("alice +\\S+ +" + CLIENT + " +kubernetes-admin +60m +Pending");

    assertThat(admin.run("certificate", "approve", "alice")).contains("approved");
    String certificate = certificate("alice");
    assertThat(admin.run("get", "csr", "alice")).contains("Approved,Issued");
    X509Certificate read = KeyMaterial.certificate(certificate);
    assertThat(read.getSubjectX500Principal().getName()).isEqualTo("CN=alice,O=dev");
    assertThat(read.getBasicConstraints()).isEqualTo(-1);
    assertThat(Duration.between(read.getNotBefore().toInstant(), read.getNotAfter().toInstant()))
        .isBetween(Duration.ofMinutes(60), Duration.ofMinutes(66));
    String key = PemBlocks.encode(PemBlocks.PRIVATE_KEY, keys.getPrivate().getEncoded());
    Kubectl alice =
        as(
            "alice",
            "client-certificate-data: %s, client-key-data: %s"
                .formatted(encoded(certificate), encoded(key)));
    assertThat(alice.run("auth", "whoami")).contains("alice").contains("dev");
  }

  @Test
  void aPersonDeniesAndNothingIsIssued() throws Exception {
    String pem =
        CertificateRequestWriter.of(KeyMaterial.newKeys(), "mallory", List.of(), List.of());
    admin.apply(document("mallory", CLIENT, pem, "client auth"), "create", "-f", "-");
    admin.run("certificate", "deny", "mallory");

    assertThat(admin.run("get", "csr", "mallory")).contains("Denied");
    ObjectNode denied =
        (ObjectNode) new ObjectMapper().readTree(admin.run("get", "csr", "mallory", "-o", "json"));
    denied.withObjectProperty("status").putArray("conditions");
    String path = "/apis/certificates.k8s.io/v1/certificatesigningrequests/mallory/";
    assertThat(admin.refused(denied.toString(), "replace", "--raw", path + "approval", "-f", "-"))
        .contains("updates may not remove a condition of type \"Denied\"");
    denied
        .withObjectProperty("status")
        .withArrayProperty("conditions")
        .addObject()
        .put("type", "Approved")
        .put("status", "True");
    assertThat(admin.refused(denied.toString(), "replace", "--raw", path + "status", "-f", "-"))
        .contains("updates may not add a condition of type \"Approved\"");
  }

  @Test
  void nobodyBecomesAMasterAndRequestsThatBreakTheRulesFail() {
    String masters =
        CertificateRequestWriter.of(
            KeyMaterial.newKeys(), "eve", List.of("system:masters"), List.of());
    assertThat(admin.refused(document("eve", CLIENT, masters, "client auth"), "create", "-f", "-"))
        .contains(
            "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed");
    String legacy = CertificateRequestWriter.of(KeyMaterial.newKeys(), "eve", List.of(), List.of());
    assertThat(
            admin.refused(
                document("eve", "kubernetes.io/legacy-unknown", legacy, "client auth"),
                "create",
                "-f",
                "-"))
        .contains("the legacy signerName is not allowed via this API version");
    assertThat(
            admin.refused(
                document("eve", CLIENT, legacy, "client auth").replace("3600", "599"),
                "create",
                "-f",
                "-"))
        .contains("may not specify a duration less than 600 seconds (10 minutes)");
    assertThat(
            admin.refused(document("eve", CLIENT, "nonsense", "client auth"), "create", "-f", "-"))
        .contains("PEM block type must be CERTIFICATE REQUEST");
    admin.apply(document("odd", CLIENT, legacy, "server auth"), "create", "-f", "-");
    admin.run("certificate", "approve", "odd");
    admin.run("wait", "--for=condition=Failed", "csr/odd", "--timeout=60s");
    assertThat(admin.run("get", "csr", "odd", "-o", "yaml"))
        .contains("SignerValidationFailure")
        .contains("invalid usage for client certificate: server auth");
  }

  @Test
  void aNewNodeGetsItsCertificatesAsAKubeletDoes() throws Exception {
    KeyPair keys = KeyMaterial.newKeys();
    String pem =
        CertificateRequestWriter.of(keys, "system:node:n9", List.of("system:nodes"), List.of());
    joiner.apply(
        document("n9", NODE_CLIENT, pem, "digital signature, client auth"), "create", "-f", "-");
    String certificate = certificate("n9");
    Kubectl node =
        as(
            "n9",
            "client-certificate-data: %s, client-key-data: %s"
                .formatted(
                    encoded(certificate),
                    encoded(
                        PemBlocks.encode(PemBlocks.PRIVATE_KEY, keys.getPrivate().getEncoded()))));
    node.apply(
        "---\n{apiVersion: v1, kind: Node, metadata: {name: n9},"
            + " status: {addresses: [{type: InternalIP, address: 192.0.2.9}]}}",
        "create",
        "-f",
        "-");

    // Renewal of its own, and a certificate for its server.
    node.apply(
        document("n9-renewal", NODE_CLIENT, pem, "digital signature, client auth"),
        "create",
        "-f",
        "-");
    certificate("n9-renewal");
    String serving =
        CertificateRequestWriter.of(
            keys, "system:node:n9", List.of("system:nodes"), List.of("n9", "192.0.2.9"));
    node.apply(
        document("n9-serving", SERVING, serving, "digital signature, server auth"),
        "create",
        "-f",
        "-");
    X509Certificate read = KeyMaterial.certificate(certificate("n9-serving"));
    assertThat(read.getIssuerX500Principal().getName()).isEqualTo("CN=berth-node-ca");
    assertThat(read.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");

    // What belongs to others is left to a person.
    String greedy =
        CertificateRequestWriter.of(
            keys,
            "system:node:n9",
            List.of("system:nodes"),
            List.of("n9", "kubernetes.default.svc"));
    node.apply(
        document("n9-greedy", SERVING, greedy, "digital signature, server auth"),
        "create",
        "-f",
        "-");
    // A node asks for another node; a token for a node that exists, and for a group beside.
    String other =
        CertificateRequestWriter.of(keys, "system:node:node-1", List.of("system:nodes"), List.of());
    node.apply(
        document("n9-other", NODE_CLIENT, other, "digital signature, client auth"),
        "create",
        "-f",
        "-");
    joiner.apply(
        document("taken", NODE_CLIENT, other, "digital signature, client auth"),
        "create",
        "-f",
        "-");
    String groups =
        CertificateRequestWriter.of(
            keys, "system:node:n8", List.of("system:nodes", "system:masters"), List.of());
    joiner.apply(
        document("groups", NODE_CLIENT, groups, "digital signature, client auth"),
        "create",
        "-f",
        "-");
    assertThat(joiner.refused("", "certificate", "approve", "groups")).contains("orbidden");
    // A later request that is fine shows that the earlier ones were judged.
    String last =
        CertificateRequestWriter.of(keys, "system:node:n7", List.of("system:nodes"), List.of());
    joiner.apply(
        document("last", NODE_CLIENT, last, "digital signature, client auth"), "create", "-f", "-");
    certificate("last");
    for (String name : List.of("n9-greedy", "n9-other", "taken", "groups")) {
      assertThat(admin.run("get", "csr", name)).contains("Pending");
    }
  }

  @Test
  void strangersLearnWhereTheClusterIsAndTokensProveIt() throws Exception {
    admin.run(
        "wait", "--for=create", "configmap/cluster-info", "-n", "kube-public", "--timeout=60s");
    String signature = "jws-kubeconfig-" + made.token().id();
    admin.run(
        "wait",
        "--for=jsonpath={.data." + signature + "}",
        "configmap/cluster-info",
        "-n",
        "kube-public",
        "--timeout=60s");
    JsonNode data = new ObjectMapper().readTree(ask("cluster-info").body()).path("data");
    String kubeconfig = data.path("kubeconfig").asText();
    String signed = data.path(signature).asText();

    assertThat(kubeconfig).contains("certificate-authority-data: ");
    assertThat(
            DetachedSignature.isValid(signed, kubeconfig, made.token().id(), made.token().secret()))
        .isTrue();
    assertThat(ask("berth-runtimes").statusCode()).isEqualTo(403);
  }

  /// Without any credentials.
  private HttpResponse<String> ask(String configMap) throws Exception {
    ClientConfig present = ClientConfig.fromKubeconfig(cluster.kubeconfig());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", KeyMaterial.certificate(present.authority()));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
      return http.send(
          HttpRequest.newBuilder(
                  present
                      .server()
                      .resolve("/api/v1/namespaces/kube-public/configmaps/" + configMap))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
