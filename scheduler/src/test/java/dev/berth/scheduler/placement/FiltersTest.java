package dev.berth.scheduler.placement;

import static dev.berth.scheduler.model.TestObjects.node;
import static dev.berth.scheduler.model.TestObjects.pod;
import static dev.berth.scheduler.model.TestObjects.requests;
import static dev.berth.scheduler.model.TestObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.scheduler.cluster.ClusterState;
import dev.berth.scheduler.model.ClassScheduling;
import dev.berth.scheduler.model.PodInfo;
import dev.berth.scheduler.model.RefusalReason;
import dev.berth.scheduler.model.RuntimeClassInfo;
import dev.berth.scheduler.model.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every rule on one node, or on the smallest cluster that shows it.
final class FiltersTest {
  private static final String FAR =
      "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}}]}}";
  private static final String NEAR = FAR.replace("podAntiAffinity", "podAffinity");

  private final ClusterState cluster = new ClusterState();
  private final NodePlacer placer = new NodePlacer(cluster);

  @BeforeEach
  void classes() {
    cluster.putClass(new RuntimeClassInfo("gvisor", "runsc"));
    cluster.putClass(new RuntimeClassInfo("plain", "runc"));
  }

  private String reasons(PodInfo pod) {
    return String.join(
        ", ",
        placer.explain(pod).values().stream()
            .flatMap(List::stream)
            .map(RefusalReason::text)
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'unschedulable':true | ~~ | node(s) were unschedulable
          'unschedulable':true | 'tolerations':[{'operator':'Exists'}] | ~~
          'taints':[{'key':'k','value':'v','effect':'NoSchedule'}] | ~~ | node(s) had untolerated taint {k: v}
          'taints':[{'key':'k','effect':'NoExecute'}] | 'tolerations':[{'key':'k','operator':'Exists','effect':'NoSchedule'}] | node(s) had untolerated taint {k: }
          'taints':[{'key':'k','value':'v','effect':'NoSchedule'}] | 'tolerations':[{'key':'k','value':'v'}] | ~~
          'taints':[{'key':'k','effect':'PreferNoSchedule'}] | ~~ | ~~
          'x':1 | 'nodeSelector':{'gpu':'yes'} | node(s) didn't match Pod's node affinity/selector
          'x':1 | 'nodeSelector':{'kubernetes.io/os':'linux'} | ~~
          'x':1 | 'os':{'name':'windows'} | node(s) didn't match Pod's OS "windows"
          'x':1 | 'os':{'name':'linux'} | ~~
          'x':1 | 'architecture':'arm64' | node(s) didn't match Pod's architecture "arm64"
          'x':1 | 'architecture':'amd64' | ~~
          'x':1 | 'osversion':'10.0.17763' | node(s) didn't match Pod's OS version "10.0.17763"
          'x':1 | 'runtimeClassName':'none' | RuntimeClass "none" not found
          'x':1 | 'runtimeClassName':'gvisor' | ~~
          'x':1 | 'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'data'}}] | ~~
          'x':1 | 'virtualMachine':{} | node(s) don't serve workload type vm
          'x':1 | 'runtimeServiceName':'qemu' | node(s) don't have runtime service "qemu" for workload type container
          """)
  void rulesAboutTraits(String nodeSpec, String podSpec, String expected) {
    cluster.putNode(node("n", "'spec':{" + nodeSpec + "}"));

    assertThat(reasons(pod("p", podSpec))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          In           | 'a','b' | fits
          In           | 'c'     | refused
          NotIn        | 'c'     | fits
          NotIn        | 'a'     | refused
          Exists       | ~~      | fits
          DoesNotExist | ~~      | refused
          """)
  void requiredAffinity(String operator, String values, String expected) {
    cluster.putNode(node("n", "'metadata':{'labels':{'zone':'a'}}"));
    PodInfo pod =
        pod(
            "p",
            ("'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["
                    + "{'matchExpressions':[{'key':'zone','operator':'%s','values':[%s]}]}]}}}")
                .formatted(operator, values));

    assertThat(reasons(pod).isEmpty() ? "fits" : "refused").isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          kata | container | runsc | true  | 'runtimeClassName':'gvisor' | ~~
          kata | container | runsc | false | 'runtimeClassName':'gvisor' | node(s) have handler runsc but its runtime service is not ready
          kata | container | runc  | true  | 'runtimeClassName':'gvisor' | node(s) don't offer RuntimeClass "gvisor" (handler runsc)
          kata | container | runc  | false | 'os':{} | node(s) have a default runtime service for workload type container but it is not ready
          runc | container | runc  | true  | 'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'data'}}] | node(s) don't provide persistentvolumeclaim "data"
          runc | container | runc  | true  | 'volumes':[{'name':'v','csi':{}},{'name':'e','emptyDir':{}}] | node(s) don't provide csi volume "v"
          runc | container | runc  | true  | 'resourceClaims':[{'name':'gpu'}] | node(s) don't provide resourceclaim "gpu"
          runc | container | runc  | true  | 'volumes':[{'name':'e','emptyDir':{}},{'name':'h','hostPath':{}}] | ~~
          qemu | vm        | kvm   | true  | 'virtualMachine':{} | ~~
          qemu | vm        | kvm   | false | 'virtualMachine':{} | node(s) have a default runtime service for workload type vm but it is not ready
          qemu | vm        | kvm   | true  | 'os':{} | node(s) don't serve workload type container
          qemu | vm        | kvm   | true  | 'virtualMachine':{},'runtimeServiceName':'qemu' | ~~
          qemu | vm        | kvm   | false | 'virtualMachine':{},'runtimeServiceName':'qemu' | node(s) have runtime service "qemu" but it is not ready
          qemu | vm        | kvm   | true  | 'virtualMachine':{},'runtimeServiceName':'fc'   | node(s) don't have runtime service "fc" for workload type vm
          qemu | vm        | kvm   | true  | 'runtimeServiceName':'qemu' | node(s) don't have runtime service "qemu" for workload type container
          kata | container | runc  | true  | 'runtimeServiceName':'default' | ~~
          kata | container | runc  | true  | 'runtimeServiceName':'default','runtimeClassName':'plain' | ~~
          kata | container | runc  | true  | 'runtimeServiceName':'default','runtimeClassName':'gvisor' | node(s) don't offer RuntimeClass "gvisor" (handler runsc)
          kata | container | runc  | false | 'runtimeServiceName':'default' | node(s) have a default runtime service for workload type container but it is not ready
          qemu | vm        | kvm   | true  | 'virtualMachine':{},'runtimeServiceName':'default' | ~~
          qemu | vm        | kvm   | true  | 'runtimeServiceName':'default' | node(s) don't serve workload type container
          """)
  void runtimeServices(
      String name, String type, String handler, boolean ready, String podSpec, String expected) {
    cluster.putNode(node("n", service(name, type, handler, ready)));

    assertThat(reasons(pod("p", podSpec))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.0.17763.805 | 10.0.17763 |        | fits
          10.0.17763     | 10.0.17763 |        | fits
          10.0.18362     | 10.0.17763 |        | refused
          10.0.17762     | 10.0.17763 |        | refused
          10.0.17762     | 10.0.17763 | gvisor | fits
          10.0.17762     | 10.0.17763 | plain  | refused
          10.0.17764     | 10.0.17763 | gvisor | refused
          10.0.20348     | 10.0.26100 |        | fits
          10.0.20348     | 10.0.26100 | plain  | fits
          10.0.25398     | 10.0.26100 |        | fits
          10.0.20348     | 10.0.26101 |        | refused
          10.0.26100     | 10.0.26101 |        | fits
          10.0.17763     | 10.0.20348 |        | refused
          10.0.17763     | 10.0.20348 | gvisor | fits
          10.0.26100     | 10.0.20348 |        | refused
          """)
  void windowsRunsTheBuildsOfItsRuleAndUnderHyperVOlderOnes(
      String version, String host, @Nullable String className, String expected) {
    cluster.putNode(
        node(
            "n",
            ("'metadata':{'labels':{'kubernetes.io/os':'windows','node.kubernetes.io/windows-build':'%s'},"
                    + "'annotations':{'berth.dev/runtime-services':'{\\\"s\\\":{\\\"workloadType\\\":\\\"container\\\",\\\"default\\\":true,"
                    + "\\\"handlers\\\":[\\\"runsc\\\",\\\"runc\\\"],\\\"isolation\\\":{\\\"runsc\\\":\\\"hyperv\\\",\\\"runc\\\":\\\"process\\\"}}}'}}")
                .formatted(host)));
    String byClass = className == null ? "" : ",'runtimeClassName':'" + className + "'";

    String found = reasons(pod("p", "'osversion':'" + version + "'" + byClass));

    assertThat(found.isEmpty() ? "fits" : "refused").as(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          linux/amd64 | ~~ | ~~
          linux/arm64 | ~~ | node(s) can't run an image of the pod: image web:1 has no entry for linux/amd64; it has linux/arm64
          linux/arm64 | 'runtimeClassName':'gvisor' | ~~
          linux/amd64 | 'runtimeClassName':'gvisor' | node(s) can't run an image of the pod: image web:1 has no entry for linux/arm64; it has linux/amd64
          linux/amd64 | 'runtimeClassName':'plain' | ~~
          linux/arm64 | 'runtimeServiceName':'s' | node(s) can't run an image of the pod: image web:1 has no entry for linux/amd64; it has linux/arm64
          linux/arm64 | 'runtimeServiceName':'s','runtimeClassName':'gvisor' | ~~
          linux/arm64 | 'runtimeServiceName':'default' | node(s) can't run an image of the pod: image web:1 has no entry for linux/amd64; it has linux/arm64
          """)
  void platformsOfImages(String platform, String podSpec, String expected) {
    cluster.putNode(
        node(
            "n",
            "'metadata':{'annotations':{'berth.dev/runtime-services':'{\\\"s\\\":{\\\"workloadType\\\":\\\"container\\\",\\\"default\\\":true,"
                + "\\\"handlers\\\":[\\\"runsc\\\",\\\"runc\\\"],\\\"platforms\\\":{\\\"runsc\\\":\\\"linux/arm64\\\"}}}'}}"));

    assertThat(reasons(TestObjects.podOfImage("p", podSpec, platform))).isEqualTo(expected);
  }

  @Test
  void nodesThatRunDifferentPlatformsHaveDifferentShapes() {
    cluster.putNode(node("a"));
    cluster.putNode(node("b", "'metadata':{'labels':{'kubernetes.io/arch':'arm64'}}"));
    PodInfo pod = TestObjects.podOfImage("p", "", "linux/arm64");

    assertThat(((PlacementDecision.Chosen) placer.place(pod)).node().name()).isEqualTo("b");
    cluster.removeNode("b");
    assertThat(((PlacementDecision.Refused) placer.place(pod)).refusal().message())
        .isEqualTo(
            "0/1 nodes are available: 1 node(s) can't run an image of the pod: image web:1 has no"
                + " entry for linux/amd64; it has linux/arm64; no node and no RuntimeClass of the cluster"
                + " could run it.");
  }

  @Test
  void aSelectorOfTheClassThatExcludesANodeNamesTheClass() {
    cluster.putNode(node("n"));
    cluster.putClass(
        new RuntimeClassInfo(
            "gpu",
            "runc",
            Map.of("gpu", "yes", "kubernetes.io/os", "linux"),
            List.of(),
            Optional.empty()));
    String selector = "'nodeSelector':{'gpu':'yes','kubernetes.io/os':'linux'}";

    assertThat(reasons(pod("p", selector + ",'runtimeClassName':'gpu'")))
        .isEqualTo(
            "node(s) didn't match Pod's node affinity/selector (RuntimeClass \"gpu\" selects gpu=yes)");
    assertThat(reasons(pod("p", selector)))
        .isEqualTo("node(s) didn't match Pod's node affinity/selector");
  }

  @ParameterizedTest
  @CsvSource({
    "OFFERED, , waits",
    "SELECTOR, , fits",
    "OFFERED, SELECTOR, fits",
    "SELECTOR, OFFERED, waits"
  })
  void aClassThatNobodyOffersIsScheduledByItsSelectorWhereTheClassOrTheSchedulerSaysSo(
      ClassScheduling flag, ClassScheduling annotation, String expected) {
    ClusterState other = new ClusterState(flag);
    other.putClass(
        new RuntimeClassInfo("odd", "odd", Map.of(), List.of(), Optional.ofNullable(annotation)));
    other.putNode(node("n", service("containerd", "container", "runc", true)));

    PlacementDecision decision = new NodePlacer(other).place(pod("p", "'runtimeClassName':'odd'"));

    assertThat(decision instanceof PlacementDecision.Chosen ? "fits" : "waits").isEqualTo(expected);
  }

  @Test
  void theAnnotationOfAClassIsRead() {
    assertThat(
            RuntimeClassInfo.parse(
                    TestObjects.json(
                        "{'metadata':{'name':'a','annotations':{'runtimeclass.berth.dev/scheduling':'selector'}},'handler':'h'}"))
                .scheduling())
        .contains(ClassScheduling.SELECTOR);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1024, ''",
    "4000, 8192, ''",
    "4001, 10, Insufficient cpu",
    "10, 8193, Insufficient memory",
    "4001, 8193, 'Insufficient cpu, Insufficient memory'"
  })
  void resourcesOfAnEmptyNode(int cpu, int memory, String expected) {
    cluster.putNode(node("n"));

    assertThat(reasons(pod("p", cpu, memory))).isEqualTo(expected);
  }

  @Test
  void overheadCountsAgainstTheNode() {
    cluster.putNode(node("n"));
    cluster.putPod(pod("other", 2000, 10), "n");

    assertThat(reasons(pod("p", requests(2000, 10)))).isEmpty();
    assertThat(reasons(pod("p", requests(2000, 10) + ",'overhead':{'cpu':'1m'}")))
        .isEqualTo("Insufficient cpu");
  }

  @Test
  void extendedResourcesAndPodsAreCounted() {
    cluster.putNode(node("n", "'status':{'allocatable':{'example.com/gpu':'1','pods':'1'}}"));
    String gpu = "'containers':[{'name':'a','resources':{'requests':{'example.com/gpu':'%d'}}}]";
    assertThat(reasons(pod("p", gpu.formatted(1)))).isEmpty();
    assertThat(reasons(pod("p", gpu.formatted(2)))).isEqualTo("Insufficient example.com/gpu");

    cluster.putPod(pod("other", gpu.formatted(1)), "n");

    assertThat(reasons(pod("p", gpu.formatted(1))))
        .isEqualTo("Too many pods, Insufficient example.com/gpu");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'hostPort':80                      | node(s) didn't have free ports for the requested pod ports
          'hostPort':80,'hostIP':'127.0.0.1' | node(s) didn't have free ports for the requested pod ports
          'hostPort':80,'protocol':'UDP'     | ~~
          'hostPort':81                      | ~~
          """)
  void hostPorts(String port, String expected) {
    cluster.putNode(node("n"));
    String spec = "'containers':[{'name':'a','ports':[{%s}]}]";
    cluster.putPod(pod("other", spec.formatted("'hostPort':80,'protocol':'TCP'")), "n");

    assertThat(reasons(pod("p", spec.formatted(port)))).isEqualTo(expected);
  }

  @Test
  void affinityToPodsAndAgainstThem() {
    cluster.putNode(node("a", "'metadata':{'labels':{'zone':'1'}}"));
    cluster.putNode(node("b", "'metadata':{'labels':{'zone':'2'}}"));
    cluster.putPod(labelled("db", ""), "a");

    assertThat(placer.explain(pod("p", NEAR)).get("a")).isEmpty();
    assertThat(reasons(pod("p", NEAR))).isEqualTo("node(s) didn't match pod affinity rules");
    assertThat(placer.explain(pod("p", FAR)).get("b")).isEmpty();
    assertThat(reasons(pod("p", FAR))).isEqualTo("node(s) didn't match pod anti-affinity rules");
  }

  @Test
  void aPlacedPodKeepsOthersAway() {
    cluster.putNode(node("a", "'metadata':{'labels':{'zone':'1'}}"));
    cluster.putPod(pod("loner", FAR), "a");

    assertThat(reasons(labelled("db", "")))
        .isEqualTo("node(s) didn't satisfy existing pods anti-affinity rules");
    assertThat(placer.place(labelled("db", ""))).isInstanceOf(PlacementDecision.Refused.class);
    assertThat(placer.place(labelled("web", ""))).isInstanceOf(PlacementDecision.Chosen.class);
  }

  @Test
  void theFirstOfPodsThatWantEachOtherMayBegin() {
    cluster.putNode(node("a", "'metadata':{'labels':{'zone':'1'}}"));

    assertThat(placer.place(labelled("db", NEAR))).isInstanceOf(PlacementDecision.Chosen.class);
    assertThat(placer.place(labelled("web", NEAR))).isInstanceOf(PlacementDecision.Refused.class);
  }

  @Test
  void spreadLimitsTheDifferenceBetweenDomains() {
    cluster.putNode(node("a", "'metadata':{'labels':{'zone':'1'}}"));
    cluster.putNode(node("b", "'metadata':{'labels':{'zone':'2'}}"));
    cluster.putNode(node("c"));
    cluster.putPod(labelled("web", ""), "a");
    var tree =
        TestObjects.podTree(
            "second",
            "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'app':'web'}}}]");
    tree.withObject("/metadata/labels").put("app", "web");
    var explained = placer.explain(PodInfo.parse(tree));

    assertThat(explained.get("a"))
        .extracting(RefusalReason::text)
        .containsExactly("node(s) didn't match pod topology spread constraints");
    assertThat(explained.get("b")).isEmpty();
    assertThat(explained.get("c"))
        .extracting(RefusalReason::text)
        .containsExactly(
            "node(s) didn't match pod topology spread constraints (missing required label)");
  }

  private static PodInfo labelled(String app, String spec) {
    var tree = TestObjects.podTree(app, spec);
    tree.withObject("/metadata/labels").put("app", app);
    return PodInfo.parse(tree);
  }
}
