package dev.berth.server.admission.quotas;

import static dev.berth.server.admission.Writes.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.Writes;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.errors.ApiException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What limit ranges make of pods, and which they refuse.
class LimitRangeAdmissionTest {
  private final FakeObjects objects = new FakeObjects();
  private final LimitRangeAdmission plugin = new LimitRangeAdmission(objects);

  @Test
  void containersGetTheDefaultsThatTheyDoNotSay() {
    limits(
        "{'type':'Container','default':{'cpu':'1','memory':'1Gi'},'defaultRequest':{'cpu':'100m'}}");
    ObjectNode pod =
        json(
            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'a'},{'name':'b','resources':"
                + "{'limits':{'cpu':'2'},'requests':{'cpu':'2'}}}],'initContainers':[{'name':'i'}]}}");
    plugin.mutate(Writes.create(Writes.PODS, "t1", pod));
    String all = "{'limits':{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'100m'}}";
    assertThat(pod.at("/spec/containers/0/resources")).isEqualTo(json(all));
    assertThat(pod.at("/spec/containers/1/resources"))
        .isEqualTo(json("{'limits':{'cpu':'2','memory':'1Gi'},'requests':{'cpu':'2'}}"));
    assertThat(pod.at("/spec/initContainers/0/resources")).isEqualTo(json(all));
    assertThat(pod.at("/metadata/annotations/kubernetes.io~1limit-ranger").asText())
        .isEqualTo(
            "LimitRanger plugin set: cpu request for container a; cpu, memory limit for container"
                + " a; memory limit for container b; cpu request for init container i; cpu, memory"
                + " limit for init container i");
  }

  @Test
  void virtualMachinesAreLimitedAsContainers() {
    limits("{'type':'Container','default':{'memory':'1Gi'},'max':{'memory':'2Gi'}}");
    ObjectNode pod =
        json("{'metadata':{'name':'p'},'spec':{'virtualMachine':{'name':'m','image':'i'}}}");
    plugin.mutate(Writes.create(Writes.PODS, "t1", pod));
    assertThat(pod.at("/spec/virtualMachine/resources/limits/memory").asText()).isEqualTo("1Gi");
    assertThat(pod.at("/metadata/annotations/kubernetes.io~1limit-ranger").asText())
        .isEqualTo("LimitRanger plugin set: memory limit for virtual machine m");
    assertThat(refusal("'virtualMachine':{'name':'m','resources':{'limits':{'memory':'3Gi'}}}"))
        .isEqualTo("maximum memory usage per Container is 2Gi, but limit is 3Gi");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'Container','min':{'cpu':'50m'}}|'containers':[{'name':'c'}]"
            + "|minimum cpu usage per Container is 50m.  No request is specified",
        "{'type':'Container','max':{'cpu':'1'}}|'containers':[{'name':'c'}]"
            + "|maximum cpu usage per Container is 1.  No limit is specified",
        "{'type':'Container','min':{'cpu':'50m'}}|'containers':[{'name':'c','resources':{'requests':{'cpu':'1'},'limits':{'cpu':'10m'}}}]"
            + "|minimum cpu usage per Container is 50m, but limit is 10m",
        "{'type':'Container','maxLimitRequestRatio':{'cpu':'1.5'}}|'containers':[{'name':'c','resources':{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}}]"
            + "|cpu max limit to request ratio per Container is 1500m, but provided ratio is 2.000000",
        "{'type':'Container','maxLimitRequestRatio':{'cpu':'2'}}|'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]"
            + "|cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0",
        "{'type':'Container','max':{'cpu':'1'}}|'initContainers':[{'name':'i','resources':{'limits':{'cpu':'2'}}}]"
            + "|maximum cpu usage per Container is 1, but limit is 2",
        // The pod's sum: containers and sidecars together, other init containers alone.
        "{'type':'Pod','max':{'cpu':'3'}}|'containers':[{'resources':{'limits':{'cpu':'2'}}}],'initContainers':[{'restartPolicy':'Always','resources':{'limits':{'cpu':'2'}}}]"
            + "|maximum cpu usage per Pod is 3, but limit is 4",
        "{'type':'Pod','max':{'cpu':'3'}}|'containers':[{'resources':{'limits':{'cpu':'1'}}}],'initContainers':[{'resources':{'limits':{'cpu':'5'}}}]"
            + "|maximum cpu usage per Pod is 3, but limit is 5",
        // Amounts of the whole pod count instead; the overhead does not.
        "{'type':'Pod','max':{'cpu':'3'}}|'resources':{'limits':{'cpu':'4'}},'containers':[{'resources':{'limits':{'cpu':'1'}}}]"
            + "|maximum cpu usage per Pod is 3, but limit is 4",
        "{'type':'Pod','max':{'cpu':'3'}}|'overhead':{'cpu':'9'},'containers':[{'resources':{'limits':{'cpu':'3'}}}]|",
      })
  void amountsAreBounded(String limit, String spec, String refusal) {
    limits(limit);
    assertThat(refusal(spec)).isEqualTo(refusal == null ? "" : refusal);
  }

  @Test
  void onlyNewPodsAndResizesAreJudged() {
    limits("{'type':'Container','max':{'cpu':'1'}}");
    ObjectNode pod =
        json(
            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','resources':"
                + "{'limits':{'cpu':'2'}}}]}}");
    plugin.validate(
        Writes.of(Operation.UPDATE, Writes.PODS, "", "t1", "p", pod, pod, Writes.ADMIN));
    plugin.validate(
        Writes.of(Operation.UPDATE, Writes.PODS, "status", "t1", "p", pod, pod, Writes.ADMIN));
    assertThatThrownBy(
            () ->
                plugin.validate(
                    Writes.of(
                        Operation.UPDATE,
                        Writes.PODS,
                        "resize",
                        "t1",
                        "p",
                        pod,
                        pod,
                        Writes.ADMIN)))
        .hasMessage(
            "pods \"p\" is forbidden: maximum cpu usage per Container is 1, but limit is 2");
  }

  @Test
  void claimsAreBoundedByTheirStorage() {
    ObjectNode range =
        json(
            "{'spec':{'limits':[{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'},"
                + "'max':{'storage':'2Gi'}}]}}");
    assertThat(LimitConstraints.ofClaim(range, claim("1500Mi"))).isEqualTo(List.of());
    assertThat(LimitConstraints.ofClaim(range, claim("1Mi")))
        .containsExactly(
            "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi");
    assertThat(LimitConstraints.ofClaim(range, claim("3Gi")))
        .containsExactly(
            "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi");
  }

  private static ObjectNode claim(String storage) {
    return json("{'resources':{'requests':{'storage':'" + storage + "'}}}");
  }

  private void limits(String item) {
    objects.put(
        "limitranges",
        json("{'metadata':{'name':'l','namespace':'t1'},'spec':{'limits':[" + item + "]}}"));
  }

  private String refusal(String spec) {
    try {
      plugin.validate(
          Writes.create(
              Writes.PODS, "t1", json("{'metadata':{'name':'p'},'spec':{" + spec + "}}")));
      return "";
    } catch (ApiException e) {
      return String.valueOf(e.getMessage()).replace("pods \"p\" is forbidden: ", "");
    }
  }
}
