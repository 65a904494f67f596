package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.TestCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What an administrator does with kubectl to limit a namespace, and what its users see.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoliciesIT {
  private static final String COUNTED = "--for=jsonpath={.status.used}";

  private TestCluster cluster;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    assumeTrue(Kubectl.isInstalled(), "kubectl is not on PATH (Debian: kubernetes-client)");
    cluster = TestCluster.start(directory.resolve("data"));
    kubectl = new Kubectl(cluster.kubeconfig(), directory.resolve("cache"));
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void namespace(String name) {
    kubectl.run("create", "namespace", name);
    kubectl.run("wait", "--for=create", "serviceaccount/default", "-n", name, "--timeout=120s");
  }

  @Test
  void quotasCountAndRefuse() {
    namespace("quotas");
    kubectl.run(
        "create",
        "quota",
        "q",
        "--hard=pods=2,requests.cpu=1,count/deployments.apps=1",
        "-n",
        "quotas");
    kubectl.run("wait", COUNTED, "quota/q", "-n", "quotas", "--timeout=120s");
    assertThat(kubectl.refused("", "run", "a", "--image=x", "-n", "quotas"))
        .contains("pods \"a\" is forbidden: failed quota: q: must specify requests.cpu for: a");
    kubectl.run("create", "deployment", "d", "--image=x", "--replicas=0", "-n", "quotas");
    assertThat(kubectl.refused("", "create", "deployment", "e", "--image=x", "-n", "quotas"))
        .contains(
            "exceeded quota: q, requested: count/deployments.apps=1, used:"
                + " count/deployments.apps=1, limited: count/deployments.apps=1");
    kubectl.apply(pod("b", "700m"), "apply", "-n", "quotas", "-f", "-");
    assertThat(kubectl.refused(pod("c", "700m"), "apply", "-n", "quotas", "-f", "-"))
        .contains(
            "exceeded quota: q, requested: requests.cpu=700m, used: requests.cpu=700m, limited:"
                + " requests.cpu=1");
    assertThat(kubectl.run("describe", "quota", "q", "-n", "quotas"))
        .containsPattern("count/deployments.apps +1 +1")
        .containsPattern("pods +1 +2")
        .containsPattern("requests.cpu +700m +1");
    assertThat(kubectl.run("get", "quota", "-n", "quotas"))
        .contains("count/deployments.apps: 1/1, pods: 1/2, requests.cpu: 700m/1");
    kubectl.run("delete", "pod", "b", "-n", "quotas", "--now");
    kubectl.apply(pod("c", "700m"), "apply", "-n", "quotas", "-f", "-");
    kubectl.run(
        "patch",
        "quota",
        "q",
        "-n",
        "quotas",
        "--type=merge",
        "-p",
        "{\"spec\":{\"hard\":{\"pods\":\"7\"}}}");
    kubectl.run(
        "wait",
        "--for=jsonpath={.status.hard.pods}=7",
        "quota/q",
        "-n",
        "quotas",
        "--timeout=120s");
  }

  private static String pod(String name, String cpu) {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: NAME}
        spec:
          containers:
          - name: c
            image: x
            resources: {requests: {cpu: CPU}}
        """
        .replace("NAME", name)
        .replace("CPU", cpu);
  }

  @Test
  void limitRangesGiveDefaultsAndRefuse() {
    namespace("limits");
    kubectl.apply(
        """
        apiVersion: v1
        kind: LimitRange
        metadata: {name: l}
        spec:
          limits:
          - type: Container
            default: {cpu: 500m, memory: 64Mi}
            defaultRequest: {cpu: 100m}
            max: {cpu: "1"}
        """,
        "apply",
        "-n",
        "limits",
        "-f",
        "-");
    kubectl.run("run", "a", "--image=x", "-n", "limits");
    assertThat(
            kubectl.run(
                "get",
                "pod",
                "a",
                "-n",
                "limits",
                "-o",
                "jsonpath={.spec.containers[0].resources}"))
        .isEqualTo(
            "{\"limits\":{\"cpu\":\"500m\",\"memory\":\"64Mi\"},\"requests\":{\"cpu\":\"100m\",\"memory\":\"64Mi\"}}");
    String large = pod("b", "3").replace("requests", "limits");
    assertThat(kubectl.refused(large, "apply", "-n", "limits", "-f", "-"))
        .contains("maximum cpu usage per Container is 1, but limit is 3");
    assertThat(kubectl.run("describe", "limitrange", "l", "-n", "limits"))
        .containsPattern("Container +cpu +- +1 +100m +500m +-")
        .containsPattern("Container +memory +- +- +64Mi +64Mi +-");
    assertThat(kubectl.run("get", "limits", "-n", "limits")).contains("CREATED AT");
    assertThat(kubectl.run("describe", "namespace", "limits"))
        .contains("Resource Limits", "No resource quota.");
  }

  @Test
  void labelsHoldPodsToAStandard() {
    namespace("secured");
    String privileged =
        "{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"x\",\"securityContext\":{\"privileged\":true}}]}}";
    kubectl.run("run", "a", "--image=x", "-n", "secured", "--overrides=" + privileged);
    assertThat(
            kubectl.run(
                "label", "namespace", "secured", "pod-security.kubernetes.io/enforce=baseline"))
        .contains(
            "Warning: existing pods in namespace \"secured\" violate the new PodSecurity enforce"
                + " level \"baseline:latest\"",
            "Warning: a: privileged");
    assertThat(
            kubectl.refused(
                "",
                "run",
                "b",
                "--image=x",
                "-n",
                "secured",
                "--overrides=" + privileged.replace("\"a\"", "\"b\"")))
        .contains(
            "violates PodSecurity \"baseline:latest\": privileged (container \"b\" must not set");
    kubectl.run("label", "namespace", "secured", "pod-security.kubernetes.io/warn=restricted");
    assertThat(kubectl.run("create", "deployment", "d", "--image=x", "-n", "secured"))
        .contains("Warning: would violate PodSecurity \"restricted:latest\":");
    assertThat(
            kubectl.refused(
                "",
                "label",
                "namespace",
                "secured",
                "--overwrite",
                "pod-security.kubernetes.io/enforce=tight"))
        .contains("must be one of privileged, baseline, restricted");
  }
}
