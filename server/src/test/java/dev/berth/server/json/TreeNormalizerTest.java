package dev.berth.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.schema.ObjectSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeNormalizerTest {
  private static final ObjectSchema SCHEMA = ObjectSchema.load();

  private final List<String> unknown = new ArrayList<>();

  @Test
  void emptyValuesThatMeanNothingAreLeftOut() throws Exception {
    assertThat(
            normal(
                "core.v1.Container",
                "{'name':'c','args':[],'image':'','tty':false,'env':null,'ports':[{'containerPort':80,'hostPort':0}]}"))
        .isEqualTo(tree("{'name':'c','ports':[{'containerPort':80}],'resources':{}}"));
  }

  @Test
  void pointersKeepTheirZeroValues() throws Exception {
    assertThat(normal("apps.v1.DeploymentSpec", "{'replicas':0,'selector':null}").path("replicas"))
        .hasToString("0");
  }

  @Test
  void unknownFieldsAreDroppedAndNamed() throws Exception {
    ObjectNode normal =
        normal("core.v1.Pod", "{'spec':{'containers':[{'name':'c','foo':1}]},'bar':2}");
    assertThat(normal.path("spec").path("containers").path(0).has("foo")).isFalse();
    assertThat(unknown).containsExactly("spec.containers[0].foo", "bar");
  }

  @Test
  void quantitiesAndTimesAreCanonical() throws Exception {
    assertThat(normal("core.v1.ResourceRequirements", "{'limits':{'cpu':0.5,'memory':'1024Mi'}}"))
        .isEqualTo(tree("{'limits':{'cpu':'500m','memory':'1Gi'}}"));
    assertThat(normal("coordination.v1.LeaseSpec", "{'renewTime':'2026-01-02T03:04:05+01:00'}"))
        .isEqualTo(tree("{'renewTime':'2026-01-02T02:04:05.000000Z'}"));
  }

  @Test
  void wrongTypesAreNamedInGoWords() {
    assertThatThrownBy(() -> normal("core.v1.Pod", "{'spec':{'containers':'no'}}"))
        .isInstanceOf(WrongTypeException.class)
        .hasMessage(
            "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type"
                + " []v1.Container");
  }

  @Test
  void aBadQuantityNamesItsField() {
    assertThatThrownBy(
            () -> normal("node.v1.RuntimeClass", "{'overhead':{'podFixed':{'cpu':'a lot'}}}"))
        .isInstanceOf(WrongTypeException.class)
        .hasMessageStartingWith("quantities must match the regular expression '")
        .hasMessageEndingWith(
            " (field overhead.podFixed.cpu), such as 250m or 64Mi, and not \"a lot\"");
  }

  @Test
  void theNormalFormIsAFixedPoint() throws Exception {
    ObjectNode once =
        normal("core.v1.Pod", "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c'}]}}");
    assertThat(new TreeNormalizer(unknown).normalize(SCHEMA.type("core.v1.Pod"), once))
        .isEqualTo(once);
  }

  private ObjectNode normal(String type, String json) throws Exception {
    return new TreeNormalizer(unknown).normalize(SCHEMA.type(type), tree(json));
  }

  private static ObjectNode tree(String json) {
    return (ObjectNode)
        JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
