package dev.berth.server.resources.requests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.schema.ObjectSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictProblemsTest {
  private static final ObjectSchema SCHEMA = ObjectSchema.load();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'metadata':{'name':'m'},'data':{'a':'1'}} | ",
        "{'metadata':{'foo':1},'data':{'a':'1','a':'2'},'bar':2}"
            + " | unknown metadata.foo, duplicate data.a, unknown bar",
        "{'data':{'a':'1','a':'2','a':'3'}} | duplicate data.a",
        "{'foo':1,'foo':2} | unknown foo",
        "{'foo':{'a':1,'a':2},'data':{'b':'1','b':'2'}} | unknown foo, duplicate data.b",
        "{'data':{},'bar':1,'data':{'a':'1','a':'2'}} | unknown bar, duplicate data, duplicate data.a",
        "{'metadata':{'ownerReferences':[{'x':1,'name':'n','name':'n'}]}}"
            + " | unknown metadata.ownerReferences[0].x, duplicate metadata.ownerReferences[0].name",
        "{'data':{'a':'1','a':'2'},'data':{}} | duplicate data, duplicate data.a",
      })
  void eachIsToldOnceInTheOrderOfTheDocument(String json, String expected) throws Exception {
    assertThat(
            String.join(", ", problems(json.replace('\'', '"')))
                .replace(" field \"", " ")
                .replace("\"", ""))
        .isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void aHundredAreEnough() throws Exception {
    String fields =
        IntStream.range(0, 200).mapToObj(i -> "\"f" + i + "\":1").collect(Collectors.joining(","));
    assertThat(problems("{" + fields + "}")).hasSize(100);
    assertThat(problems("{" + fields + ",\"data\":1,\"data\":{}}")).hasSize(100);
  }

  @Test
  void aPatchIsWrongBeforeItsOutcomeIs() {
    PatchBody patch = new PatchBody(PatchBody.Type.MERGE, JsonTrees.object(), List.of("b", "b"));
    assertThat(StrictProblems.ofPatch(patch, List.of("a")))
        .containsExactly("duplicate field \"b\"", "unknown field \"a\"");
  }

  @Test
  void theOperationsOfAJsonPatchAreLookedAtThemselves() throws Exception {
    String operations =
        """
        [{"op": "add", "valeu": 1, "path": "/a", "path": "/b"}, {"op": "add", "path": "/c", "value": {"x": 1, "x": 2}}]""";
    JsonTrees.Parsed parsed = JsonTrees.parse(operations.getBytes(StandardCharsets.UTF_8));
    PatchBody patch = new PatchBody(PatchBody.Type.JSON, parsed.tree(), parsed.duplicates());
    assertThat(StrictProblems.ofPatch(patch, List.of("c")))
        .containsExactly(
            "json patch unknown field \"[0].valeu\"",
            "json patch duplicate field \"[0].path\"",
            "json patch duplicate field \"[1].value.x\"",
            "unknown field \"c\"");
  }

  private static List<String> problems(String json) throws Exception {
    JsonTrees.Parsed parsed = JsonTrees.parse(json.getBytes(StandardCharsets.UTF_8));
    ObjectNode tree = (ObjectNode) parsed.tree();
    List<String> unknown = new ArrayList<>();
    new TreeNormalizer(unknown).normalize(SCHEMA.type("core.v1.ConfigMap"), tree);
    return StrictProblems.of(new RequestBody(tree, parsed.duplicates()), unknown);
  }
}
