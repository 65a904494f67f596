package dev.berth.server.patch;

import static dev.berth.server.fields.Captures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.fields.Captures;
import dev.berth.server.json.JsonTrees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTest {
  private static final String DOCUMENT = "{'a':{'b':1,'c':[1,2]},'s':'x','n':null,'~/':1}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'op':'add','path':'/a/d','value':5} | {'a':{'b':1,'c':[1,2],'d':5},'s':'x','n':null,'~/':1}",
        "{'op':'add','path':'/a/c/0','value':0} | {'a':{'b':1,'c':[0,1,2]},'s':'x','n':null,'~/':1}",
        "{'op':'add','path':'/a/c/-','value':3} | {'a':{'b':1,'c':[1,2,3]},'s':'x','n':null,'~/':1}",
        "{'op':'add','path':'/s','value':'y'} | {'a':{'b':1,'c':[1,2]},'s':'y','n':null,'~/':1}",
        "{'op':'remove','path':'/a/c/1'} | {'a':{'b':1,'c':[1]},'s':'x','n':null,'~/':1}",
        "{'op':'remove','path':'/~0~1'} | {'a':{'b':1,'c':[1,2]},'s':'x','n':null}",
        "{'op':'replace','path':'/a/c/0','value':9} | {'a':{'b':1,'c':[9,2]},'s':'x','n':null,'~/':1}",
        "{'op':'replace','path':'/a','value':{}} | {'a':{},'s':'x','n':null,'~/':1}",
        "{'op':'move','from':'/a/b','path':'/b'} | {'a':{'c':[1,2]},'s':'x','n':null,'~/':1,'b':1}",
        "{'op':'copy','from':'/a/c','path':'/c'} | {'a':{'b':1,'c':[1,2]},'s':'x','n':null,'~/':1,'c':[1,2]}",
        "{'op':'test','path':'/a/c','value':[1,2]} | {'a':{'b':1,'c':[1,2]},'s':'x','n':null,'~/':1}",
        "{'op':'test','path':'/n','value':null} | {'a':{'b':1,'c':[1,2]},'s':'x','n':null,'~/':1}",
        "{'op':'replace','path':'','value':{'z':1}} | {'z':1}",
        "{'op':'add','path':'/a/c/-1','value':3} | {'a':{'b':1,'c':[1,2,3]},'s':'x','n':null,'~/':1}",
        "{'op':'add','path':'/a/c/-3','value':0} | {'a':{'b':1,'c':[0,1,2]},'s':'x','n':null,'~/':1}",
        "{'op':'remove','path':'/a/c/-1'} | {'a':{'b':1,'c':[1]},'s':'x','n':null,'~/':1}",
        "{'op':'replace','path':'/a/c/-2','value':9} | {'a':{'b':1,'c':[9,2]},'s':'x','n':null,'~/':1}",
        "{'op':'test','path':'/a/c/-1','value':2} | {'a':{'b':1,'c':[1,2]},'s':'x','n':null,'~/':1}",
      })
  void operationsHaveTheirEffect(String operation, String expected) {
    ObjectNode target = object(DOCUMENT);
    assertThat(JsonPatch.apply(JsonTrees.array().add(object(operation)), target))
        .isEqualTo(object(expected));
    assertThat(target).as("the target is left alone").isEqualTo(object(DOCUMENT));
  }

  @Test
  void negativeIndicesLeadThroughArraysToo() {
    assertThat(
            JsonPatch.apply(
                JsonTrees.array().add(object("{'op':'remove','path':'/l/-1/args/-1'}")),
                object("{'l':[{'args':['a']},{'args':['b','c']}]}")))
        .isEqualTo(object("{'l':[{'args':['a']},{'args':['b']}]}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'op':'remove','path':'/none'}",
        "{'op':'remove','path':''}",
        "{'op':'replace','path':'/none','value':1}",
        "{'op':'replace','path':'/a/c/2','value':1}",
        "{'op':'add','path':'/none/x','value':1}",
        "{'op':'add','path':'/s/x','value':1}",
        "{'op':'add','path':'/a/c/3','value':1}",
        "{'op':'add','path':'/a/c/01','value':1}",
        "{'op':'add','path':'/a/c/-4','value':1}",
        "{'op':'replace','path':'/a/c/-3','value':1}",
        "{'op':'remove','path':'/a/c/-3'}",
        "{'op':'test','path':'/a/c/-3','value':1}",
        "{'op':'add','path':'/a/c/-0','value':1}",
        "{'op':'add','path':'/a/c/--1','value':1}",
        "{'op':'add','path':'a','value':1}",
        "{'op':'add','path':'/a'}",
        "{'op':'move','from':'/a','path':'/a/x'}",
        "{'op':'move','from':'/none','path':'/x'}",
        "{'op':'copy','from':'/none','path':'/x'}",
        "{'op':'test','path':'/a/b','value':2}",
        "{'op':'test','path':'/none','value':2}",
        "{'op':'unknown','path':'/a'}",
        "{'op':'replace','path':'','value':[]}",
      })
  void operationsThatCannotBeDoneAreUnprocessable(String operation) {
    assertThatThrownBy(
            () -> JsonPatch.apply(JsonTrees.array().add(object(operation)), object(DOCUMENT)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(422));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1} | json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
        "[1] | json: cannot unmarshal number into Go value of type handlers.jsonPatchOp",
        "[{\"op\":1}] | json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string",
      })
  void documentsThatAreNoPatchAreBadRequests(String patch, String message) {
    assertThatThrownBy(() -> JsonPatch.apply(Captures.json(patch), object(DOCUMENT)))
        .isInstanceOf(ApiException.class)
        .hasMessage("error decoding patch: " + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"patch-json-testfail", "patch-json-badpath", "patch-json-malformed"})
  void failuresAreUpstreams(String label) {
    ObjectNode live = Captures.response("patch-json");
    assertThatThrownBy(() -> JsonPatch.apply(Captures.request(label), live))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.status().toJson()).isEqualTo(Captures.response(label)));
  }

  @Test
  void tooManyOperationsAreTooLarge() {
    ArrayNode patch = JsonTrees.array();
    JsonNode test = object("{'op':'test','path':'/s','value':'x'}");
    for (int i = 0; i < 10_000; i++) {
      patch.add(test);
    }
    assertThat(JsonPatch.apply(patch, object(DOCUMENT))).isEqualTo(object(DOCUMENT));
    patch.add(test);
    assertThatThrownBy(() -> JsonPatch.apply(patch, object(DOCUMENT)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(413))
        .hasMessageContaining("The allowed maximum operations in a JSON patch is 10000, got 10001");
  }

  @Test
  void copiesThatGrowWithoutEndAreStopped() {
    ArrayNode patch = JsonTrees.array();
    patch.add(object("{'op':'add','path':'/list','value':['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx']}"));
    for (int i = 0; i < 30; i++) {
      patch.add(object("{'op':'copy','from':'/list','path':'/list/-'}"));
    }
    assertThatThrownBy(() -> JsonPatch.apply(patch, object(DOCUMENT)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(422));
  }
}
