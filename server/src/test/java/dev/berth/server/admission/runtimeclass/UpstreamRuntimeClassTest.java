package dev.berth.server.admission.runtimeclass;

import static dev.berth.server.admission.Writes.json;
import static dev.berth.server.admission.Writes.newPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.errors.ApiException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The inputs and results of the tests that Kubernetes has for its RuntimeClass admission.
class UpstreamRuntimeClassTest {
  private static final String FIXED = "{'podFixed':{'cpu':'100m','memory':'1'}}";
  private static final String GUARANTEED =
      "'containers':[{'name':'c','resources':{'requests':{'cpu':'1','memory':'1Gi'},'limits':{'cpu':'1','memory':'1Gi'}}}]";
  private static final String MISMATCH =
      "pods \"p\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  private static final String WITHOUT_CLASS =
      "pods \"p\" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";

  private final FakeObjects objects = new FakeObjects();
  private final ClassOverheadAndScheduling plugin =
      new ClassOverheadAndScheduling(objects, new FakeCatalog());

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no resources, no overhead     | ''                                                  | {'cpu':'100m','memory':'1'}",
        "guaranteed, no overhead       | guaranteed                                          | {'cpu':'100m','memory':'1'}",
        "the overhead of the class     | 'overhead':{'cpu':'100m','memory':'1'}              | {'cpu':'100m','memory':'1'}",
        "another overhead              | 'overhead':{'cpu':'10','memory':'10G'}              | refused",
      })
  void overheadIsSet(String name, String spec, String expected) {
    classWith("'overhead':" + FIXED);
    AdmissionAttributes pod = pod(spec.equals("guaranteed") ? GUARANTEED : spec.replace("''", ""));

    if (expected.equals("refused")) {
      refused(() -> plugin.mutate(pod), MISMATCH);
    } else {
      plugin.mutate(pod);
      assertThat(spec(pod).path("overhead")).isEqualTo(json(expected));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no scheduling       | {}                            | {'foo':'bar'}               | {'foo':'bar'}",
        "conflict            | {'nodeSelector':{'foo':'conf'}} | {'foo':'bar'}             | refused",
        "pod without         | {'nodeSelector':{'foo':'bar'}} | {}                         | {'foo':'bar'}",
        "class without       | {'tolerations':[]}            | {'foo':'bar'}               | {'foo':'bar'}",
        "the same pair       | {'nodeSelector':{'foo':'bar'}} | {'foo':'bar'}              | {'foo':'bar'}",
        "another pair        | {'nodeSelector':{'foo':'bar','fizz':'buzz'}} | {'foo':'bar'} | {'foo':'bar','fizz':'buzz'}",
      })
  void selectorsAreMerged(String name, String scheduling, String selector, String expected) {
    classWith("'scheduling':" + scheduling);
    AdmissionAttributes pod = pod("'nodeSelector':" + selector);

    if (expected.equals("refused")) {
      refused(
          () -> plugin.mutate(pod),
          "pods \"p\" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[foo] = conf;"
              + " pod.spec.nodeSelector[foo] = bar");
    } else {
      plugin.mutate(pod);
      assertThat(spec(pod).path("nodeSelector")).isEqualTo(json(expected));
    }
  }

  @Test
  void tolerationsOfThePodStayAndThoseOfTheClassFollow() {
    String both = "{'key':'foo','operator':'Equal','value':'bar','effect':'NoSchedule'}";
    String other = "{'key':'fizz','operator':'Equal','value':'buzz','effect':'NoSchedule'}";
    classWith("'scheduling':{'tolerations':[%s,%s]}".formatted(both, other));
    AdmissionAttributes pod = pod("'tolerations':[%s]".formatted(both));

    plugin.mutate(pod);

    assertThat(spec(pod).path("tolerations")).containsExactly(json(both), json(other));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no class, overhead          | none     | 'overhead':{'cpu':'100m','memory':'1'} | without",
        "class, same overhead        | overhead | 'overhead':{'cpu':'100m','memory':'1'} | allowed",
        "class without, no overhead  | plain    | 'hostPID':false                        | allowed",
        "class without, overhead     | plain    | 'overhead':{'cpu':'100m','memory':'1'} | without",
        "class, other overhead       | overhead | 'overhead':{'cpu':'10','memory':'10G'} | mismatch",
      })
  void overheadIsValidated(String name, String ofClass, String spec, String outcome) {
    classWith(ofClass.equals("overhead") ? "'overhead':" + FIXED : "'handler':'bar'");
    String named = ofClass.equals("none") ? "" : "'runtimeClassName':'foo',";
    AdmissionAttributes pod =
        newPod("{'metadata':{'name':'p'},'spec':{%s%s}}".formatted(named, spec));

    switch (outcome) {
      case "allowed" -> plugin.validate(pod);
      case "without" -> refused(() -> plugin.validate(pod), WITHOUT_CLASS);
      default -> refused(() -> plugin.validate(pod), MISMATCH);
    }
  }

  @Test
  void aClassThatIsNotThereIsRefused() {
    refused(
        () -> plugin.mutate(pod("'hostPID':false")),
        "pods \"p\" is forbidden: pod rejected: RuntimeClass \"foo\" not found; create it, or name another"
            + " one (there are: none)");
  }

  private void classWith(String fields) {
    objects.put(
        ClassOverheadAndScheduling.BUCKET,
        json("{'metadata':{'name':'foo'},%s}".formatted(fields)));
  }

  private static AdmissionAttributes pod(String spec) {
    String more = spec.isBlank() ? "" : "," + spec;
    return newPod("{'metadata':{'name':'p'},'spec':{'runtimeClassName':'foo'%s}}".formatted(more));
  }

  private static JsonNode spec(AdmissionAttributes write) {
    return Objects.requireNonNull(write.object()).path("spec");
  }

  private static void refused(Runnable write, String message) {
    assertThatThrownBy(write::run)
        .isInstanceOfSatisfying(
            ApiException.class, refusal -> assertThat(refusal.status().code()).isEqualTo(403))
        .hasMessage(message);
  }
}
