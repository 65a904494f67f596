package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.TestCluster;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// An unmodified kubectl rolls workloads out on a simulated node, and back.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RolloutsIT {
  private static final String DAEMONS =
      """
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: %s}
      spec:
        selector: {matchLabels: {app: %s}}
        template:
          metadata: {labels: {app: %s}}
          spec:
            %s
            terminationGracePeriodSeconds: 0
            containers:
            - {name: main, image: sim/agent, command: [sleep, "1000000"]}
      """;

  private TestCluster cluster;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) {
    assumeTrue(Kubectl.isInstalled(), "kubectl is needed");
    cluster = TestCluster.withNode(directory.resolve("data"), List.of());
    kubectl = new Kubectl(cluster.kubeconfig(), directory.resolve("cache"));
    kubectl.run("wait", "--for=create", "serviceaccount/default", "--timeout=180s");
    kubectl.run("wait", "--for=condition=Ready", "node/node-1", "--timeout=180s");
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private String status(String workload) {
    return kubectl.run("rollout", "status", workload, "--timeout=180s");
  }

  @Test
  void aDeploymentIsScaledRolledOutAndBackAndGoesWithItsPods() {
    kubectl.run(
        "create",
        "deployment",
        "web",
        "--image=sim/web:1",
        "--replicas=2",
        "--",
        "sleep",
        "1000000");
    assertThat(status("deployment/web")).contains("deployment \"web\" successfully rolled out");
    assertThat(kubectl.run("get", "deployment", "web", "-o", "jsonpath={.metadata.generation}"))
        .isEqualTo("1");
    kubectl.run("scale", "deployment/web", "--replicas=3");
    assertThat(status("deployment/web")).contains("successfully rolled out");
    assertThat(kubectl.run("get", "deployment", "web", "--no-headers"))
        .containsPattern("web +3/3 +3 +3");

    kubectl.run("set", "image", "deployment/web", "*=sim/web:2");
    assertThat(status("deployment/web")).contains("successfully rolled out");
    assertThat(images()).isEqualTo("sim/web:2 3");
    assertThat(kubectl.run("rollout", "history", "deployment/web")).containsPattern("\n1 .*\n2 ");

    kubectl.run("rollout", "undo", "deployment/web");
    assertThat(status("deployment/web")).contains("successfully rolled out");
    assertThat(images()).isEqualTo("sim/web:1 3");
    assertThat(kubectl.run("rollout", "history", "deployment/web")).containsPattern("\n2 .*\n3 ");

    kubectl.run("rollout", "restart", "deployment/web");
    assertThat(status("deployment/web")).contains("successfully rolled out");

    kubectl.run("delete", "deployment", "web", "--cascade=foreground", "--timeout=180s");
    // What was made while it went is garbage, and collected after it.
    kubectl.run("wait", "--for=delete", "replicasets,pods", "-l", "app=web", "--timeout=180s");
    assertThat(kubectl.run("get", "replicasets,pods", "-l", "app=web", "-o", "yaml"))
        .contains("items: []");
  }

  /// The image of the only set that has pods, and how many.
  private String images() {
    return kubectl.run(
        "get",
        "replicasets",
        "-l",
        "app=web",
        "-o",
        "jsonpath={range .items[?(@.spec.replicas>0)]}{.spec.template.spec.containers[0].image}{\" \"}{.status.replicas}{end}");
  }

  @Test
  void aDaemonRunsOnNodesThatItsClassSelects() {
    kubectl.apply(
        """
        apiVersion: node.k8s.io/v1
        kind: RuntimeClass
        metadata: {name: elsewhere}
        handler: runc
        scheduling: {nodeSelector: {pool: sandboxed}}
        """,
        "apply",
        "-f",
        "-");
    kubectl.apply(DAEMONS.formatted("every", "every", "every", ""), "apply", "-f", "-");
    kubectl.apply(
        DAEMONS.formatted("some", "some", "some", "runtimeClassName: elsewhere"),
        "apply",
        "-f",
        "-");
    assertThat(status("daemonset/every")).contains("daemon set \"every\" successfully rolled out");
    assertThat(desired("some")).isEqualTo("0");
    assertThat(kubectl.run("get", "pods", "-l", "app=some", "-o", "name")).isEmpty();

    kubectl.run("label", "node", "node-1", "pool=sandboxed");
    kubectl.run(
        "wait", "--for=jsonpath={.status.numberAvailable}=1", "daemonset/some", "--timeout=180s");

    kubectl.run("rollout", "restart", "daemonset/every");
    assertThat(status("daemonset/every")).contains("successfully rolled out");
  }

  @Test
  void aDaemonIsRolledOutAndBack() {
    kubectl.apply(DAEMONS.formatted("back", "back", "back", ""), "apply", "-f", "-");
    assertThat(status("daemonset/back")).contains("successfully rolled out");
    kubectl.run("annotate", "daemonset/back", "kubernetes.io/change-cause=newer agent");
    kubectl.run("set", "image", "daemonset/back", "*=sim/agent:2");
    assertThat(status("daemonset/back")).contains("successfully rolled out");
    assertThat(kubectl.run("rollout", "history", "daemonset/back"))
        .containsPattern("\n1 +<none>\n2 +newer agent");

    kubectl.run("rollout", "undo", "daemonset/back");
    assertThat(status("daemonset/back")).contains("successfully rolled out");
    assertThat(
            kubectl.run(
                "get", "pods", "-l", "app=back", "-o", "jsonpath={..spec.containers[0].image}"))
        .isEqualTo("sim/agent");
    assertThat(kubectl.run("rollout", "history", "daemonset/back"))
        .containsPattern("\n2 +newer agent\n3 +<none>");
    assertThat(kubectl.run("get", "controllerrevisions", "-l", "app=back", "--no-headers"))
        .containsPattern("back-\\w+ +daemonset.apps/back +2 ")
        .containsPattern("back-\\w+ +daemonset.apps/back +3 ");

    kubectl.run("delete", "daemonset", "back", "--timeout=180s");
    kubectl.run("wait", "--for=delete", "controllerrevisions", "-l", "app=back", "--timeout=180s");
  }

  @Test
  void aDaemonWithASurgeNeverLeavesItsNode() {
    kubectl.apply(
        DAEMONS.formatted("stay", "stay", "stay", "")
            + "  updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}\n",
        "apply",
        "-f",
        "-");
    assertThat(status("daemonset/stay")).contains("successfully rolled out");
    kubectl.run("set", "image", "daemonset/stay", "*=sim/agent:2");
    assertThat(status("daemonset/stay")).contains("successfully rolled out");
    assertThat(reasons("stay"))
        .containsExactly("SuccessfulCreate", "SuccessfulCreate", "SuccessfulDelete");
  }

  /// What was told of an object, in order.
  private List<String> reasons(String name) {
    return kubectl
        .run(
            "get",
            "events",
            "--field-selector=involvedObject.name=" + name,
            "-o",
            "jsonpath={range .items[*]}{.metadata.resourceVersion} {.reason}{\"\\n\"}{end}")
        .lines()
        .sorted(Comparator.comparingLong(line -> Long.parseLong(line.split(" ", -1)[0])))
        .map(line -> line.split(" ", -1)[1])
        .toList();
  }

  private String desired(String name) {
    return kubectl.run("get", "daemonset", name, "-o", "jsonpath={.status.desiredNumberScheduled}");
  }
}
