package dev.berth.server.admission.plugins;

import static dev.berth.server.admission.Writes.json;
import static dev.berth.server.admission.Writes.kind;
import static dev.berth.server.admission.Writes.newPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.Writes;
import dev.berth.server.admission.runtimeclass.ClassOverheadAndScheduling;
import dev.berth.server.admission.runtimeclass.FakeCatalog;
import dev.berth.server.admission.runtimeclass.TolerationMerge;
import dev.berth.server.auth.FakeObjects;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Priority, default tolerations and runtime classes one by one.
class PodRulesTest {
  private static final String CLASSES = "runtimeclasses.node.k8s.io";
  private static final String PRIORITIES = "priorityclasses.scheduling.k8s.io";
  private final FakeObjects objects = new FakeObjects();
  private final PriorityAdmission priorities = new PriorityAdmission(objects);

  @ParameterizedTest
  @CsvSource({
    "high, 1000, PreemptLowerPriority",
    "patient, 50, Never",
    "'', 0, PreemptLowerPriority",
  })
  void classGivesPriority(String name, int value, String policy) {
    objects.put(PRIORITIES, "{'metadata':{'name':'high'},'value':1000}");
    objects.put(
        PRIORITIES, "{'metadata':{'name':'patient'},'value':50,'preemptionPolicy':'Never'}");
    JsonNode spec = admitted(priorities, "{'spec':{'priorityClassName':'" + name + "'}}");

    assertThat(spec.path("priority").asInt()).isEqualTo(value);
    assertThat(spec.path("preemptionPolicy").asText()).isEqualTo(policy);
  }

  @Test
  void podsWithoutAClassAreOfTheDefaultOne() {
    objects.put(PRIORITIES, "{'metadata':{'name':'usual'},'value':7,'globalDefault':true}");
    JsonNode spec = admitted(priorities, "{'spec':{}}");
    assertThat(spec.path("priorityClassName").asText()).isEqualTo("usual");
    assertThat(spec.path("priority").asInt()).isEqualTo(7);
  }

  @Test
  void anUpdateThatLeavesPriorityOutKeepsIt() {
    ObjectNode old = json("{'spec':{'priority':7,'preemptionPolicy':'Never'}}");
    ObjectNode sent = json("{'spec':{}}");
    priorities.mutate(
        Writes.of(Operation.UPDATE, Writes.PODS, "", "t1", "p", sent, old, Writes.ADMIN));
    assertThat(sent).isEqualTo(old);
    ObjectNode other = json("{'spec':{'priority':8,'preemptionPolicy':'Never'}}");
    priorities.mutate(
        Writes.of(Operation.UPDATE, Writes.PODS, "", "t1", "p", other, old, Writes.ADMIN));
    assertThat(other.at("/spec/priority").asInt()).isEqualTo(8);
  }

  @Test
  void unknownPriorityClassIsRefused() {
    assertThatThrownBy(
            () ->
                admitted(
                    priorities, "{'metadata':{'name':'p'},'spec':{'priorityClassName':'nope'}}"))
        .hasMessage("pods \"p\" is forbidden: no PriorityClass with name nope was found");
  }

  @Test
  void onlyOnePriorityClassIsTheDefault() {
    String usual = "{'metadata':{'name':'usual'},'value':7,'globalDefault':true}";
    objects.put(PRIORITIES, usual);
    priorities.validate(Writes.create(kind(PRIORITIES), "", json(usual)));
    assertThatThrownBy(
            () ->
                priorities.validate(
                    Writes.create(
                        kind(PRIORITIES),
                        "",
                        json("{'metadata':{'name':'other'},'value':8,'globalDefault':true}"))))
        .hasMessage(
            "priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass usual is"
                + " already marked as default. Only one default can exist");
  }

  @Test
  void priorityIsNotTheClientsToChoose() {
    assertThatThrownBy(
            () -> admitted(priorities, "{'metadata':{'name':'p'},'spec':{'priority':5}}"))
        .hasMessage(
            "pods \"p\" is forbidden: the integer value of priority (5) must not be provided in"
                + " pod spec; priority admission controller computed 0 from the given"
                + " PriorityClass name");
    assertThatThrownBy(
            () ->
                admitted(
                    priorities, "{'metadata':{'name':'p'},'spec':{'preemptionPolicy':'Never'}}"))
        .hasMessage(
            "pods \"p\" is forbidden: the string value of PreemptionPolicy (Never) must not be"
                + " provided in pod spec; priority admission controller computed"
                + " PreemptLowerPriority from the given PriorityClass name");
    assertThat(
            admitted(
                    priorities, "{'spec':{'priority':0,'preemptionPolicy':'PreemptLowerPriority'}}")
                .path("priority")
                .asInt())
        .isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'operator':'Exists'}|1",
        "{'operator':'Exists','effect':'NoExecute'}|1",
        "{'operator':'Exists','effect':'NoSchedule'}|3",
        "{'key':'node.kubernetes.io/not-ready','operator':'Exists'}|2",
        "{'key':'node.kubernetes.io/unreachable','effect':'NoExecute'}|2",
        "{'key':'other','operator':'Exists'}|3",
      })
  void tolerationsOfThePodReplaceTheDefaults(String toleration, int count) {
    assertThat(
            admitted(new DefaultTolerations(), "{'spec':{'tolerations':[" + toleration + "]}}")
                .path("tolerations"))
        .hasSize(count);
  }

  @Test
  void emptyClassNameMeansTheDefault() {
    assertThat(
            admitted(
                new ClassOverheadAndScheduling(objects, new FakeCatalog()),
                "{'spec':{'runtimeClassName':''}}"))
        .isEqualTo(json("{}"));
  }

  @Test
  void sameOverheadInOtherWordsIsTheClasss() {
    objects.put(CLASSES, json("{'metadata':{'name':'c'},'overhead':{'podFixed':{'cpu':'100m'}}}"));
    assertThat(
            admitted(
                    new ClassOverheadAndScheduling(objects, new FakeCatalog()),
                    "{'spec':{'runtimeClassName':'c','overhead':{'cpu':'0.1'}}}")
                .at("/overhead/cpu")
                .asText())
        .isEqualTo("100m");
  }

  @Test
  void validationSeesOverheadThatAnotherPluginChanged() {
    objects.put(CLASSES, json("{'metadata':{'name':'c'},'overhead':{'podFixed':{'cpu':'100m'}}}"));
    ClassOverheadAndScheduling plugin = new ClassOverheadAndScheduling(objects, new FakeCatalog());

    assertThatThrownBy(
            () ->
                plugin.validate(
                    newPod("{'metadata':{'name':'p'},'spec':{'runtimeClassName':'c'}}")))
        .hasMessage(
            "pods \"p\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's"
                + " defined Overhead");
  }

  @Test
  void selectorsAreJoined() {
    objects.put(
        CLASSES, json("{'metadata':{'name':'c'},'scheduling':{'nodeSelector':{'a':'1','b':'2'}}}"));
    assertThat(
            admitted(
                new ClassOverheadAndScheduling(objects, new FakeCatalog()),
                "{'spec':{'runtimeClassName':'c','nodeSelector':{'a':'1','x':'y'}}}"))
        .isEqualTo(json("{'runtimeClassName':'c','nodeSelector':{'a':'1','x':'y','b':'2'}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // equal: the first stays
        "[{'key':'a','operator':'Exists'}]|[{'key':'a','operator':'Exists'}]|[{'key':'a','operator':'Exists'}]",
        // a broader one of the class removes the pod's
        "[{'key':'a','operator':'Equal','value':'1'}]|[{'key':'a','operator':'Exists'}]|[{'key':'a','operator':'Exists'}]",
        // a broader one of the pod makes the class's needless
        "[{'operator':'Exists'}]|[{'key':'a','operator':'Exists'},{'key':'b','operator':'Equal','value':'x','effect':'NoSchedule'}]|[{'operator':'Exists'}]",
        // other effects are other tolerations
        "[{'key':'a','operator':'Exists','effect':'NoSchedule'}]|[{'key':'a','operator':'Exists','effect':'NoExecute'}]|[{'key':'a','operator':'Exists','effect':'NoSchedule'},{'key':'a','operator':'Exists','effect':'NoExecute'}]",
        // longer covers shorter, for ever covers all
        "[{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':5}]|[{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':9}]|[{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':9}]",
        "[{'key':'a','operator':'Exists','effect':'NoExecute'}]|[{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':9}]|[{'key':'a','operator':'Exists','effect':'NoExecute'}]",
        // an unset operator is not seen as Equal
        "[{'key':'a','value':'1'}]|[{'key':'a','operator':'Equal','value':'1'}]|[{'key':'a','value':'1'}]",
        "[{'key':'a','operator':'Equal','value':'1'}]|[{'key':'a','value':'1','effect':'NoSchedule'}]|[{'key':'a','operator':'Equal','value':'1'},{'key':'a','value':'1','effect':'NoSchedule'}]",
      })
  void tolerationsAreMergedAsUpstreamDoes(String pod, String ofClass, String merged) {
    assertThat(TolerationMerge.merge(list(pod), list(ofClass))).isEqualTo(list(merged));
  }

  private static JsonNode list(String text) {
    return json("{'list':" + text + "}").path("list");
  }

  private static JsonNode admitted(AdmissionPlugin plugin, String pod) {
    AdmissionAttributes write = newPod(pod);
    plugin.mutate(write);
    return Objects.requireNonNull(write.object()).path("spec");
  }
}
