package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.certificates.CertificateRequestWriter;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.client.ClientConfig;
import dev.berth.launch.controlplane.ControlPlane;
import dev.berth.launch.controlplane.LaunchConfig;
import dev.berth.launch.join.JoinTokens;
import dev.berth.scheduler.model.ClassScheduling;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The join of an upstream kubelet (1.32 to 1.35), emulated: the requests that it sends, in its
/// order and encoding, and the answers that it needs to become ready and to run a pod. No kubelet
/// runs.
class KubeletJoinIT {
  private static final String NODE = "k1";
  private static final String CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
  private static final String ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  private static final String DEFAULT = "/api/v1/namespaces/default/";

  private ControlPlane plane;
  private Kubectl admin;
  private ClientConfig cluster;
  private final KeyPair keys = KeyMaterial.newKeys();

  @BeforeEach
  void start(@TempDir Path directory) {
    assumeTrue(Kubectl.isInstalled(), "kubectl is not on PATH (Debian: kubernetes-client)");
    LaunchConfig usual = LaunchConfig.embedded(directory.resolve("data"));
    // Serving certificates wait for a person, as upstream.
    LaunchConfig.LocalClients clients =
        new LaunchConfig.LocalClients(true, true, false, ClassScheduling.OFFERED);
    plane = ControlPlane.start(new LaunchConfig(usual.server(), usual.store(), clients, null));
    admin = new Kubectl(plane.kubeconfig(), directory.resolve("cache"));
    cluster = ClientConfig.fromKubeconfig(plane.kubeconfig());
  }

  @AfterEach
  void stop() {
    if (plane != null) {
      plane.close();
    }
  }

  @Test
  void aKubeletJoinsByABootstrapTokenAndRunsAPod() throws Exception {
    String certificate = bootstrap();
    try (KubeletClient kubelet =
        KubeletClient.ofCertificate(cluster.server(), cluster.authority(), certificate, keys)) {
      startInformers(kubelet);
      register(kubelet);
      renewLease(kubelet);
      becomeReady(kubelet);
      makeCsiNode(kubelet);
      requestServingCertificate(kubelet);
      reviewClients(kubelet);
      runPod(kubelet);
      readAttachments(kubelet);
    }
  }

  private String bootstrap() throws Exception {
    JoinTokens.Made made = JoinTokens.create(plane.kubeconfig(), Duration.ofHours(1));
    String token = made.token().id() + "." + made.token().secret();
    try (KubeletClient joiner =
        KubeletClient.ofToken(cluster.server(), cluster.authority(), token)) {
      String name = "node-csr-k1";
      joiner
          .create(
              CSRS, signingRequest(name, "kube-apiserver-client-kubelet", "client auth", List.of()))
          .require(201);
      joiner.watchList(CSRS, "metadata.name%3D" + name);
      joiner.get("/api/v1/nodes/" + NODE).require(403);
      return issued(joiner, name);
    }
  }

  private String signingRequest(String name, String signer, String usage, List<String> servers) {
    String pem =
        CertificateRequestWriter.of(keys, "system:node:" + NODE, List.of("system:nodes"), servers);
    return """
        {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest",
         "metadata": {"name": "%s"},
         "spec": {"signerName": "kubernetes.io/%s", "request": "%s",
                  "usages": ["digital signature", "%s"]}}
        """
        .formatted(
            name,
            signer,
            Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)),
            usage);
  }

  private String issued(KubeletClient client, String name) throws Exception {
    admin.run("wait", "--for=jsonpath={.status.certificate}", "csr/" + name, "--timeout=120s");
    JsonNode list = client.listAndWatch(CSRS, "metadata.name%3D" + name);
    String data = list.at("/items/0/status/certificate").asText();
    return new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII);
  }

  private static void startInformers(KubeletClient kubelet) throws Exception {
    follow(kubelet, "/api/v1/services", "");
    follow(kubelet, "/api/v1/services", "spec.clusterIP%21%3DNone");
    follow(kubelet, "/api/v1/nodes", "metadata.name%3D" + NODE);
    follow(kubelet, "/api/v1/pods", "spec.nodeName%3D" + NODE);
    follow(kubelet, "/apis/node.k8s.io/v1/runtimeclasses", "");
    follow(kubelet, "/apis/storage.k8s.io/v1/csidrivers", "");
    kubelet.get("/api/v1/nodes").require(403);
    kubelet.get("/api/v1/pods").require(403);
  }

  private static void follow(KubeletClient kubelet, String path, String selector) throws Exception {
    kubelet.listAndWatch(path, selector);
    kubelet.watchList(path, selector);
  }

  private static void register(KubeletClient kubelet) throws Exception {
    kubelet.get("/api/v1/nodes/" + NODE + "?resourceVersion=0&timeout=10s").require(404);
    String node =
        """
        {"apiVersion": "v1", "kind": "Node",
         "metadata": {"name": "%s", "labels": {"kubernetes.io/hostname": "k1",
           "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
           "beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64"},
           "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}},
         "status": {"addresses": [{"type": "InternalIP", "address": "192.0.2.9"},
             {"type": "Hostname", "address": "k1"}],
           "capacity": {"cpu": "2", "memory": "4Gi", "pods": "110"},
           "allocatable": {"cpu": "2", "memory": "4Gi", "pods": "110"},
           "conditions": [{"type": "Ready", "status": "False", "reason": "KubeletNotReady",
             "message": "CSINode is not yet initialized"}],
           "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
           "nodeInfo": {"machineID": "m", "systemUUID": "s", "bootID": "b", "kernelVersion": "6.1",
             "osImage": "Linux", "containerRuntimeVersion": "containerd://2.0.0",
             "kubeletVersion": "v1.35.0", "kubeProxyVersion": "", "operatingSystem": "linux",
             "architecture": "amd64"}}}
        """;
    kubelet.create("/api/v1/nodes", node.formatted(NODE)).require(201);
    kubelet.create("/api/v1/nodes", node.formatted(NODE)).require(409);
    kubelet.create("/api/v1/nodes", node.formatted("k2")).require(403);
    kubelet
        .create(
            DEFAULT + "events",
            """
            {"apiVersion": "v1", "kind": "Event",
             "metadata": {"name": "k1.1", "namespace": "default"},
             "involvedObject": {"kind": "Node", "name": "k1", "uid": "k1"}, "type": "Normal",
             "reason": "Starting", "message": "Starting kubelet.", "count": 1,
             "source": {"component": "kubelet", "host": "k1"}}
            """)
        .require(201);
    kubelet.patch(DEFAULT + "events/k1.1", "{\"count\": 2}").require(200);
  }

  private static void renewLease(KubeletClient kubelet) throws Exception {
    kubelet.get(LEASES + "/" + NODE + "?timeout=10s").require(404);
    JsonNode lease = kubelet.create(LEASES + "?timeout=10s", lease("")).require(201);
    String version = lease.at("/metadata/resourceVersion").asText();
    kubelet.write("PUT", LEASES + "/" + NODE + "?timeout=10s", lease(version)).require(200);
    kubelet.write("PUT", LEASES + "/" + NODE + "?timeout=10s", lease(version)).require(409);
  }

  private static String lease(String version) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
         "metadata": {"name": "k1", "namespace": "kube-node-lease", "resourceVersion": "%s"},
         "spec": {"holderIdentity": "k1", "leaseDurationSeconds": 40, "renewTime": "%s"}}
        """
        .formatted(version, now);
  }

  private void becomeReady(KubeletClient kubelet) throws Exception {
    JsonNode answer =
        kubelet
            .patch(
                "/api/v1/nodes/" + NODE + "/status?timeout=10s",
                """
                {"status": {"$setElementOrder/conditions": [{"type": "Ready"}], "conditions": [
                  {"type": "Ready", "status": "True", "reason": "KubeletReady",
                   "message": "kubelet is posting ready status",
                   "lastHeartbeatTime": "%1$s", "lastTransitionTime": "%1$s"}]}}
                """
                    .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS)))
            .require(200);
    assertThat(answer.at("/status/conditions").findValuesAsText("reason")).contains("KubeletReady");
    admin.run("wait", "--for=condition=Ready", "node/" + NODE, "--timeout=120s");
    assertThat(admin.run("get", "nodes")).containsPattern("k1 +Ready +<none> +\\S+ +v1.35.0");
  }

  private static void makeCsiNode(KubeletClient kubelet) throws Exception {
    kubelet.get(CSI_NODES + "/" + NODE).require(404);
    String csiNode =
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "%s",
           "annotations": {"storage.alpha.kubernetes.io/migrated-plugins": "kubernetes.io/nfs"}},
         "spec": {"drivers": []}}
        """;
    kubelet.create(CSI_NODES, csiNode.formatted(NODE)).require(201);
    kubelet.create(CSI_NODES, csiNode.formatted("k2")).require(403);
    assertThat(kubelet.get(CSI_NODES + "/" + NODE).require(200).path("kind").asText())
        .isEqualTo("CSINode");
  }

  private void requestServingCertificate(KubeletClient kubelet) throws Exception {
    kubelet
        .create(
            CSRS,
            signingRequest("csr-k1", "kubelet-serving", "server auth", List.of("k1", "192.0.2.9")))
        .require(201);
    kubelet.watchList(CSRS, "metadata.name%3Dcsr-k1");
    assertThat(admin.run("certificate", "approve", "csr-k1")).contains("approved");
    assertThat(KeyMaterial.certificate(issued(kubelet, "csr-k1")).getExtendedKeyUsage())
        .containsExactly("1.3.6.1.5.5.7.3.1");
  }

  /// What the kubelet asks about clients of its own port.
  private static void reviewClients(KubeletClient kubelet) throws Exception {
    JsonNode token =
        kubelet
            .create(
                "/apis/authentication.k8s.io/v1/tokenreviews",
                """
                {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview",
                 "spec": {"token": "unknown"}}
                """)
            .require(201);
    assertThat(token.at("/status/authenticated").asBoolean()).isFalse();
    JsonNode access =
        kubelet
            .create(
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                """
                {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
                 "spec": {"user": "root", "groups": ["system:masters"], "resourceAttributes":
                   {"verb": "get", "version": "v1", "resource": "nodes", "subresource": "proxy",
                    "name": "k1"}}}
                """)
            .require(201);
    assertThat(access.at("/status/allowed").asBoolean()).isTrue();
  }

  private void runPod(KubeletClient kubelet) throws Exception {
    admin.run("wait", "--for=create", "serviceaccount/default", "--timeout=120s");
    admin.run("create", "configmap", "settings", "--from-literal=a=b");
    admin.run("create", "secret", "generic", "password", "--from-literal=a=b");
    kubelet.get(DEFAULT + "secrets/password").require(403);
    admin.apply(
        """
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default},
         spec: {nodeName: k1, containers: [{name: c, image: "berth.dev/demo:1", envFrom: [
           {configMapRef: {name: settings}}, {secretRef: {name: password}}]}]}}
        """,
        "create",
        "-f",
        "-");
    JsonNode pods = kubelet.listAndWatch("/api/v1/pods", "spec.nodeName%3D" + NODE);
    assertThat(pods.at("/items/0/metadata/name").asText()).isEqualTo("web");
    String uid = pods.at("/items/0/metadata/uid").asText();
    kubelet.awaitReadable(DEFAULT + "secrets/password");
    follow(kubelet, DEFAULT + "configmaps", "metadata.name%3Dsettings");
    follow(kubelet, DEFAULT + "configmaps", "metadata.name%3Dkube-root-ca.crt");
    follow(kubelet, DEFAULT + "secrets", "metadata.name%3Dpassword");
    kubelet.get(DEFAULT + "secrets").require(403);
    requestToken(kubelet, uid);
    kubelet
        .patch(
            DEFAULT + "pods/web/status",
            "{\"metadata\": {\"uid\": \"%s\"}, \"status\": {\"phase\": \"Running\"}}"
                .formatted(uid))
        .require(200);
    assertThat(admin.run("get", "pod", "web", "-o", "jsonpath={.status.phase}"))
        .isEqualTo("Running");
  }

  private static void requestToken(KubeletClient kubelet, String uid) throws Exception {
    String request =
        """
        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
         "spec": {"audiences": [], "expirationSeconds": 3607, "boundObjectRef":
           {"kind": "Pod", "apiVersion": "v1", "name": "web", "uid": "%s"}}}
        """;
    JsonNode token =
        kubelet
            .create(DEFAULT + "serviceaccounts/default/token", request.formatted(uid))
            .require(201);
    assertThat(token.at("/status/token").asText()).isNotEmpty();
    kubelet
        .create(DEFAULT + "serviceaccounts/default/token", request.formatted("another"))
        .require(403);
  }

  private void readAttachments(KubeletClient kubelet) throws Exception {
    for (String node : List.of(NODE, "k2")) {
      admin.apply(
          """
          ---
          {apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: to-%1$s},
           spec: {attacher: a.example, nodeName: %1$s, source: {persistentVolumeName: v}}}
          """
              .formatted(node),
          "create",
          "-f",
          "-");
    }
    kubelet.awaitReadable(ATTACHMENTS + "/to-k1");
    kubelet.get(ATTACHMENTS + "/to-k2").require(403);
    kubelet.get(ATTACHMENTS).require(403);
  }
}
