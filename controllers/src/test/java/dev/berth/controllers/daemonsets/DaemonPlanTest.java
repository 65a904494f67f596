package dev.berth.controllers.daemonsets;

import static dev.berth.controllers.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ObjectKey;
import dev.berth.controllers.daemonsets.DaemonPlan.Observed;
import dev.berth.controllers.daemonsets.DaemonPlan.Rollout;
import dev.berth.controllers.workloads.ObjectIdentity;
import dev.berth.controllers.workloads.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DaemonPlanTest {
  private static final Instant NOW = Instant.parse("2024-01-02T00:00:00Z");
  private static final Instant BEFORE = NOW.minusSeconds(3600);
  private static final NodeFit RUN = new NodeFit(true, true);
  private static final NodeFit STAY = new NodeFit(false, true);
  private static final NodeFit LEAVE = new NodeFit(false, false);
  private static final Rollout ONE_BY_ONE = new Rollout("new", 1, 0, Duration.ZERO);

  private static WorkloadPod pod(String name, String node, String hash, boolean ready) {
    return pod(name, node, hash, "Running", ready ? BEFORE : Instant.MAX, BEFORE);
  }

  private static WorkloadPod pod(
      String name, String node, String hash, String phase, Instant ready, Instant created) {
    ObjectIdentity identity =
        new ObjectIdentity(
            new ObjectKey("default", name),
            "uid-" + name,
            "1",
            Map.of(DaemonSets.HASH, hash),
            JsonNodeFactory.instance.arrayNode(),
            false);
    return new WorkloadPod(identity, node, node, phase, ready, created, 0, 0);
  }

  private static DaemonPlan plan(Map<String, NodeFit> nodes, Rollout rollout, WorkloadPod... pods) {
    return DaemonPlan.of(Observed.of(nodes, List.of(pods)), rollout, NOW);
  }

  private static List<String> deleted(DaemonPlan plan) {
    return plan.delete().stream().map(pod -> pod.key().name()).toList();
  }

  @Test
  void everyNodeThatSuitsGetsOnePod() {
    DaemonPlan plan =
        plan(
            Map.of("a", RUN, "b", RUN, "c", STAY, "d", LEAVE),
            ONE_BY_ONE,
            pod("on-a", "a", "new", true));

    assertThat(plan.create()).containsExactly("b");
    assertThat(plan.delete()).isEmpty();
  }

  @Test
  void podsGoFromNodesThatDriveThemAwayOrAreGone() {
    DaemonPlan plan =
        plan(
            Map.of("c", STAY, "d", LEAVE),
            ONE_BY_ONE,
            pod("on-c", "c", "new", true),
            pod("on-d", "d", "new", true),
            pod("on-gone", "gone", "new", true));

    assertThat(deleted(plan)).containsExactly("on-d", "on-gone");
  }

  @Test
  void ofTwoPodsOnANodeTheReadyAndOlderOneStays() {
    DaemonPlan plan =
        plan(
            Map.of("a", RUN),
            ONE_BY_ONE,
            pod("sick", "a", "new", false),
            pod("well", "a", "new", true),
            pod("young", "a", "new", "Running", BEFORE, NOW));

    assertThat(deleted(plan)).containsExactly("sick", "young");
  }

  @Test
  void aFailedPodIsReplacedAfterABreath() {
    WorkloadPod lately = pod("p", "a", "new", "Failed", Instant.MAX, NOW.minusSeconds(9));
    WorkloadPod earlier = pod("p", "a", "new", "Failed", Instant.MAX, NOW.minusSeconds(10));

    assertThat(plan(Map.of("a", RUN), ONE_BY_ONE, lately))
        .isEqualTo(new DaemonPlan(List.of(), List.of()));
    assertThat(deleted(plan(Map.of("a", RUN), ONE_BY_ONE, earlier))).containsExactly("p");
  }

  @ParameterizedTest
  @CsvSource({
    // pods on a, b, c: o(ld) or n(ew), ready in capitals | how many may miss | deleted
    "OOO, 1, on-a",
    "OOO, 2, on-a on-b",
    "NOO, 1, on-b",
    "nOO, 1, ''",
    "nOO, 2, on-b",
    "oOO, 1, on-a",
    "ooO, 1, on-a on-b",
    "NNN, 1, ''",
    "OOO, -1, ''",
  })
  void aRolloutReplacesPodsWithinItsBound(String pods, int unavailable, String expected) {
    WorkloadPod[] all = new WorkloadPod[3];
    for (int i = 0; i < 3; i++) {
      String node = List.of("a", "b", "c").get(i);
      char kind = pods.charAt(i);
      String hash = Character.toLowerCase(kind) == 'n' ? "new" : "old";
      all[i] = pod("on-" + node, node, hash, Character.isUpperCase(kind));
    }
    DaemonPlan plan =
        plan(
            Map.of("a", RUN, "b", RUN, "c", RUN),
            new Rollout("new", unavailable, 0, Duration.ZERO),
            all);

    assertThat(String.join(" ", deleted(plan))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // pods on a, b, c: o(ld), n(ew) or f(ailed new), ready in capitals | surge | made | deleted
    "O O O, 1, a, ''",
    "O O O, 2, a b, ''",
    "On O O, 1, '', ''",
    "On O O, 2, b, ''",
    "ON O O, 1, b, a-O",
    "on O O, 1, b, a-o",
    "N O O, 1, b, ''",
    "o O O, 1, a b, ''",
    "Of O O, 1, '', ''",
    "ONN O N, 1, b, a-N2 a-O",
    "N N N, 1, '', ''",
  })
  void aSurgeMakesThePodThatTakesOverFirst(String pods, int surge, String created, String deleted) {
    List<WorkloadPod> all = new ArrayList<>();
    String[] nodes = pods.split(" ", -1);
    for (int i = 0; i < nodes.length; i++) {
      String node = List.of("a", "b", "c").get(i);
      for (int j = 0; j < nodes[i].length(); j++) {
        char kind = nodes[i].charAt(j);
        String name = node + "-" + kind + (nodes[i].indexOf(kind) < j ? j : "");
        all.add(
            pod(
                name,
                node,
                Character.toLowerCase(kind) == 'o' ? "old" : "new",
                kind == 'f' ? "Failed" : "Running",
                Character.isUpperCase(kind) ? BEFORE : Instant.MAX,
                kind == 'f' ? NOW : BEFORE));
      }
    }
    DaemonPlan plan =
        plan(
            Map.of("a", RUN, "b", RUN, "c", RUN),
            new Rollout("new", 0, surge, Duration.ZERO),
            all.toArray(WorkloadPod[]::new));

    assertThat(String.join(" ", plan.create().stream().sorted().toList())).isEqualTo(created);
    assertThat(String.join(" ", deleted(plan))).isEqualTo(deleted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | 1 | 0",
        "{'type':'OnDelete'} | -1 | 0",
        "{'rollingUpdate':{'maxUnavailable':3,'maxSurge':0}} | 3 | 0",
        "{'rollingUpdate':{'maxUnavailable':'20%','maxSurge':0}} | 2 | 0",
        "{'rollingUpdate':{'maxUnavailable':0,'maxSurge':'25%'}} | 0 | 3",
        "{'rollingUpdate':{'maxUnavailable':0,'maxSurge':0}} | 1 | 0",
      })
  void theStrategySaysHowManyMayMissAndHowManyMayBeDouble(
      String strategy, int unavailable, int surge) {
    ObjectNode set = json("{'spec':{'minReadySeconds':5,'updateStrategy':" + strategy + "}}");

    assertThat(DaemonStrategy.of(set, "new", 10))
        .isEqualTo(new Rollout("new", unavailable, surge, Duration.ofSeconds(5)));
  }

  @Test
  void aNodeIsUpToDateWhenItsOldPodIsGone() {
    Observed observed =
        Observed.of(
            Map.of("a", RUN, "b", RUN),
            List.of(
                pod("old-a", "a", "old", true),
                pod("new-a", "a", "new", "Running", NOW, NOW),
                pod("new-b", "b", "new", true)));
    ObjectNode set =
        json("{'metadata':{'generation':2},'status':{'conditions':[{'type':'Mine'}],'x':1}}");

    assertThat(DaemonStatus.of(set, observed, new Rollout("new", 0, 1, Duration.ZERO), NOW))
        .hasToString(
            """
            {"currentNumberScheduled":2,"numberMisscheduled":0,"desiredNumberScheduled":2,"numberReady":2,\
            "observedGeneration":2,"updatedNumberScheduled":1,"numberAvailable":2,"conditions":[{"type":"Mine"}]}""");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | [] | true | true",
        "{'nodeSelector':{'os':'linux'}} | [] | true | true",
        "{'nodeSelector':{'os':'windows'}} | [] | false | false",
        "{'nodeName':'other'} | [] | false | false",
        "{} | [{'key':'x','effect':'NoSchedule'}] | false | true",
        "{} | [{'key':'x','effect':'NoExecute'}] | false | false",
        "{} | [{'key':'x','effect':'PreferNoSchedule'}] | true | true",
        "{'tolerations':[{'key':'x','operator':'Exists'}]} | [{'key':'x','effect':'NoExecute'}] | true | true",
        "{'tolerations':[{'key':'x','value':'y'}]} | [{'key':'x','value':'z','effect':'NoExecute'}] | false | false",
        "{} | [{'key':'node.kubernetes.io/unschedulable','effect':'NoSchedule'}] | true | true",
        "{} | [{'key':'node.kubernetes.io/not-ready','effect':'NoExecute'}] | true | true",
        "{} | [{'key':'node.kubernetes.io/network-unavailable','effect':'NoSchedule'}] | false | true",
        "{'hostNetwork':true} | [{'key':'node.kubernetes.io/network-unavailable','effect':'NoSchedule'}] | true | true",
      })
  void aNodeSuitsBySelectorsAndTaints(String spec, String taints, boolean run, boolean stay) {
    ObjectNode node =
        json("{'metadata':{'name':'a','labels':{'os':'linux'}},'spec':{'taints':" + taints + "}}");

    assertThat(NodeFit.of(NodeFit.tolerant(json("{'spec':" + spec + "}")), node))
        .isEqualTo(new NodeFit(run, stay));
  }

  @ParameterizedTest
  @CsvSource({"In, linux, true", "In, windows, false", "NotIn, windows, true"})
  void aNodeSuitsByAffinity(String operator, String value, boolean run) {
    ObjectNode spec =
        json(
            """
            {'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms':
              [{'matchExpressions': [{'key': 'os', 'operator': '%s', 'values': ['%s']}]}]}}}}
            """
                .formatted(operator, value));
    ObjectNode node = json("{'metadata':{'name':'a','labels':{'os':'linux'}}}");

    assertThat(NodeFit.of(spec, node).run()).isEqualTo(run);
  }

  @Test
  void whatTheClassAddsDecidesToo() {
    ObjectNode sandboxed =
        json(
            """
            {'scheduling': {'nodeSelector': {'pool': 'sandboxed'},
              'tolerations': [{'key': 'sandboxed', 'operator': 'Exists'}]}}
            """);
    ObjectNode spec = json("{'runtimeClassName':'gvisor'}");
    ObjectNode plain = json("{'metadata':{'name':'a'}}");
    ObjectNode node =
        json(
            "{'metadata':{'name':'b','labels':{'pool':'sandboxed'}},"
                + "'spec':{'taints':[{'key':'sandboxed','effect':'NoSchedule'}]}}");

    assertThat(NodeFit.of(NodeFit.ofClass(spec, sandboxed), plain).run()).isFalse();
    assertThat(NodeFit.of(NodeFit.ofClass(spec, sandboxed), node).run()).isTrue();
    assertThat(NodeFit.of(spec, node).run()).isFalse();
  }
}
