package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.TestCluster;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// An unmodified kubectl does its daily work against a whole control plane.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlIT {
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web
      spec:
        replicas: 2
        selector:
          matchLabels: {app: web}
        template:
          metadata:
            labels: {app: web}
          spec:
            containers:
            - name: web
              image: registry.example/web:1
              ports:
              - containerPort: 80
      """;
  private static final String RUNTIME_CLASS =
      """
      apiVersion: node.k8s.io/v1beta1
      kind: RuntimeClass
      metadata:
        name: windows-1809
      handler: 'docker'
      scheduling:
        nodeSelector:
          kubernetes.io/os: 'windows'
          node.kubernetes.io/windows-build: '10.0.17763'
        tolerations:
        - effect: NoSchedule
          key: windows
          operator: Equal
          value: "true"
      """;

  private TestCluster cluster;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    assumeTrue(Kubectl.isInstalled(), "kubectl is not on PATH (Debian: kubernetes-client)");
    cluster = TestCluster.start(directory.resolve("data"));
    kubectl = new Kubectl(cluster.kubeconfig(), directory.resolve("cache"));
    // From here on the controllers are known to run.
    kubectl.run("wait", "--for=create", "serviceaccount/default", "-n", "default", "--timeout=55s");
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private String namespace(String name) {
    kubectl.run("create", "namespace", name);
    kubectl.run("wait", "--for=create", "serviceaccount/default", "-n", name, "--timeout=180s");
    return name;
  }

  @Test
  void theFreshClusterHasItsNamespacesAndAccounts() {
    assertThat(kubectl.run("get", "namespaces"))
        .contains("default", "kube-system", "kube-public", "kube-node-lease", "Active");
    kubectl.run(
        "wait", "--for=create", "configmap/kube-root-ca.crt", "-n", "default", "--timeout=180s");
    assertThat(kubectl.run("get", "configmap", "kube-root-ca.crt", "-n", "default", "-o", "yaml"))
        .contains("BEGIN CERTIFICATE");
    assertThat(kubectl.run("auth", "whoami")).contains("kubernetes-admin");
    assertThat(kubectl.run("version")).contains("Server Version: v1.32");
    assertThat(kubectl.run("api-resources")).contains("runtimeclasses", "node.k8s.io/v1");
  }

  @Test
  void clientSideApplyCreatesChangesAndPrunesFields() {
    String ns = namespace("client-apply");
    assertThat(kubectl.apply(DEPLOYMENT, "apply", "-n", ns, "-f", "-"))
        .contains("deployment.apps/web created");
    assertThat(kubectl.apply(DEPLOYMENT, "apply", "-n", ns, "-f", "-")).contains("unchanged");
    String changed =
        DEPLOYMENT
            .replace("web:1", "web:2")
            .replace("        ports:\n", "")
            .replace("        - containerPort: 80\n", "");
    assertThat(kubectl.refused(changed, "diff", "-n", ns, "-f", "-"))
        .contains(
            "-      - image: registry.example/web:1", "+      - image: registry.example/web:2");
    assertThat(kubectl.apply(changed, "apply", "-n", ns, "-f", "-")).contains("configured");
    assertThat(
            kubectl.run("get", "deployment", "web", "-n", ns, "-o", "jsonpath={..image} {..ports}"))
        .isEqualTo("registry.example/web:2 ");
  }

  @Test
  void serverSideApplyTakesOverFromClientSideApply() {
    String ns = namespace("server-apply");
    kubectl.apply(DEPLOYMENT, "apply", "-n", ns, "-f", "-");
    assertThat(kubectl.apply(DEPLOYMENT, "apply", "--server-side", "-n", ns, "-f", "-"))
        .contains("serverside-applied");
    assertThat(
            kubectl.refused(
                DEPLOYMENT.replace("replicas: 2", "replicas: 5"),
                "apply",
                "--server-side",
                "--field-manager=other",
                "-n",
                ns,
                "-f",
                "-"))
        .contains("conflict with \"kubectl\": .spec.replicas");
    kubectl.apply(
        DEPLOYMENT.replace("replicas: 2", "replicas: 5"),
        "apply",
        "--server-side",
        "--force-conflicts",
        "--field-manager=other",
        "-n",
        ns,
        "-f",
        "-");
    assertThat(kubectl.run("get", "deployment", "web", "-n", ns, "-o", "jsonpath={.spec.replicas}"))
        .isEqualTo("5");
  }

  @Test
  void scaleLabelAnnotatePatchSetAndDelete() {
    String ns = namespace("changes");
    kubectl.apply(DEPLOYMENT, "create", "-n", ns, "-f", "-");
    assertThat(kubectl.run("scale", "deployment/web", "-n", ns, "--replicas=3"))
        .contains("deployment.apps/web scaled");
    assertThat(kubectl.run("get", "deployment/web", "-n", ns, "--subresource=scale"))
        .containsPattern("NAME +DESIRED +AVAILABLE +AGE\nweb +3 +[0-3] ");
    String typo = "{\"spec\":{\"replica\":1}}";
    assertThat(
            kubectl.run(
                "patch",
                "deployment/web",
                "-n",
                ns,
                "--subresource=scale",
                "--type=merge",
                "-p",
                typo))
        .contains("Warning: unknown field \"spec.replica\"");
    kubectl.run("label", "deployment/web", "-n", ns, "tier=front");
    kubectl.run("annotate", "deployment/web", "-n", ns, "note=x");
    kubectl.run("set", "image", "deployment/web", "-n", ns, "web=registry.example/web:9");
    kubectl.run("patch", "deployment/web", "-n", ns, "-p", "{\"spec\":{\"paused\":true}}");
    kubectl.run(
        "patch",
        "deployment/web",
        "-n",
        ns,
        "--type=json",
        "-p",
        "[{\"op\":\"remove\",\"path\":\"/spec/paused\"}]");
    assertThat(
            kubectl.run(
                "get",
                "deployment",
                "web",
                "-n",
                ns,
                "-o",
                "jsonpath={.spec.replicas} {.metadata.labels.tier} {..image}{.spec.paused}"))
        .isEqualTo("3 front registry.example/web:9");
    assertThat(kubectl.run("get", "deployments", "-n", ns, "-l", "tier=front"))
        .contains("NAME", "READY", "UP-TO-DATE", "AVAILABLE", "0/3");
    assertThat(kubectl.run("delete", "deployment", "web", "-n", ns)).contains("deleted");
    assertThat(kubectl.refused("", "get", "deployment", "web", "-n", ns))
        .contains("Error from server (NotFound): deployments.apps \"web\" not found");
  }

  @Test
  void kindsThatNothingActsOnAnswerWithAWarning() {
    String ns = namespace("stored-only");
    assertThat(kubectl.apply(DEPLOYMENT, "apply", "-n", ns, "-f", "-")).doesNotContain("Warning");
    assertThat(kubectl.run("expose", "deployment/web", "-n", ns, "--port=80"))
        .contains(
            "service/web exposed",
            "Warning: Services are stored and nothing serves them yet: neither the cluster IP nor"
                + " the name leads to a pod; use the pods' addresses, or `kubectl port-forward"
                + " pod/NAME`");
    assertThat(kubectl.run("create", "job", "once", "-n", ns, "--image=registry.example/web:1"))
        .contains(
            "job.batch/once created",
            "Warning: Jobs are stored and nothing runs them yet: no pod is made; create a Pod with"
                + " restartPolicy: Never, or a Deployment");
    assertThat(kubectl.run("label", "job/once", "-n", ns, "a=b")).doesNotContain("Warning");
  }

  @Test
  void editGoesThroughTheEditor(@TempDir Path directory) throws Exception {
    String ns = namespace("edit");
    kubectl.run("create", "configmap", "c", "-n", ns, "--from-literal=colour=red");
    Path editor =
        Files.writeString(directory.resolve("editor"), "#!/bin/sh\nsed -i s/red/blue/ \"$1\"\n");
    assertThat(editor.toFile().setExecutable(true)).isTrue();
    Kubectl.Outcome outcome =
        kubectl.attempt(
            "", Map.of("KUBE_EDITOR", editor.toString()), "edit", "configmap", "c", "-n", ns);
    assertThat(outcome.text()).contains("configmap/c edited");
    assertThat(kubectl.run("get", "configmap", "c", "-n", ns, "-o", "jsonpath={.data.colour}"))
        .isEqualTo("blue");
  }

  @Test
  void runtimeClassesOfTheSeedsApplyAsTheyAreWritten() {
    assertThat(kubectl.apply(RUNTIME_CLASS, "apply", "-f", "-")).contains("windows-1809 created");
    assertThat(kubectl.run("get", "runtimeclass", "windows-1809"))
        .contains("NAME", "HANDLER", "docker");
    assertThat(
            kubectl.apply(
                RUNTIME_CLASS.replace("docker", "containerd-hyperv-17763"), "apply", "-f", "-"))
        .contains("configured");
    assertThat(
            kubectl.run(
                "get",
                "runtimeclasses.v1alpha1.node.k8s.io",
                "windows-1809",
                "-o",
                "jsonpath={.spec.runtimeHandler}"))
        .isEqualTo("containerd-hyperv-17763");
  }

  @Test
  void explainKnowsTheFields() {
    assertThat(kubectl.run("explain", "runtimeclass.scheduling"))
        .contains("nodeSelector", "tolerations");
    assertThat(kubectl.run("explain", "pod.spec.containers"))
        .contains("image", "<string>", "-required-");
    assertThat(kubectl.run("explain", "deployment.spec", "--recursive")).contains("template");
  }

  @Test
  void mistakesAreToldInFull() {
    String ns = namespace("mistakes");
    assertThat(
            kubectl.refused(
                DEPLOYMENT.replace("replicas: 2", "replicas: 2\n  replica: 3"),
                "apply",
                "-n",
                ns,
                "-f",
                "-"))
        .contains("strict decoding error: unknown field \"spec.replica\"");
    assertThat(
            kubectl.refused(
                DEPLOYMENT
                    .replace("app: web}\n  template", "app: other}\n  template")
                    .replace("replicas: 2", "replicas: -1"),
                "apply",
                "-n",
                ns,
                "-f",
                "-"))
        .contains(
            "spec.replicas: Invalid value: -1", "`selector` does not match template `labels`");
    assertThat(
            kubectl.refused(
                DEPLOYMENT.replace("Deployment", "Deploymint"), "apply", "-n", ns, "-f", "-"))
        .contains("no matches for kind \"Deploymint\" in version \"apps/v1\"");
  }

  @Test
  void describeShowsObjectsAndTheirEvents() {
    String ns = namespace("describe");
    kubectl.run("run", "p", "-n", ns, "--image=registry.example/p:1", "--restart=Never");
    assertThat(kubectl.run("describe", "pod", "p", "-n", ns))
        .contains(
            "Name:             p",
            "Image:        registry.example/p:1",
            "Status:           Pending");
    assertThat(kubectl.run("get", "pods", "-n", ns, "-o", "wide"))
        .contains("NOMINATED NODE", "Pending");
    assertThat(kubectl.run("describe", "namespace", ns)).contains("Active");
    assertThat(kubectl.run("get", "all", "-n", ns)).contains("pod/p");
  }

  @Test
  void watchAndWaitSeeChanges() throws Exception {
    String ns = namespace("watching");
    Process watch = kubectl.start(Map.of(), "get", "configmaps", "-n", ns, "-w", "-o", "name");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8))) {
      kubectl.run("create", "configmap", "seen", "-n", ns);
      assertThat(lines.lines().anyMatch("configmap/seen"::equals)).isTrue();
    } finally {
      watch.destroy();
    }
    kubectl.run("run", "p", "-n", ns, "--image=registry.example/p:1");
    kubectl.run(
        "patch",
        "pod",
        "p",
        "-n",
        ns,
        "--subresource=status",
        "-p",
        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    assertThat(kubectl.run("wait", "--for=condition=Ready", "pod/p", "-n", ns, "--timeout=180s"))
        .contains("condition met");
    kubectl.run("delete", "pod", "p", "-n", ns);
    kubectl.run("wait", "--for=delete", "pod/p", "-n", ns, "--timeout=180s");
  }

  @Test
  void deletingANamespaceEmptiesIt() {
    String ns = namespace("doomed");
    kubectl.run("create", "configmap", "c", "-n", ns);
    kubectl.apply(DEPLOYMENT, "apply", "-n", ns, "-f", "-");
    kubectl.run("delete", "namespace", ns, "--timeout=180s");
    assertThat(kubectl.refused("", "get", "namespace", ns)).contains("NotFound");
    assertThat(kubectl.run("get", "configmaps", "-n", ns)).contains("No resources found");
  }
}
