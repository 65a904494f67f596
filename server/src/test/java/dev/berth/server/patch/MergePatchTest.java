package dev.berth.server.patch;

import static dev.berth.server.fields.Captures.json;
import static dev.berth.server.fields.Captures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':'b'} | {'a':'c'} | {'a':'c'}",
        "{'a':'b'} | {'b':'c'} | {'a':'b','b':'c'}",
        "{'a':'b'} | {'a':null} | {}",
        "{'a':['b']} | {'a':'c'} | {'a':'c'}",
        "{'a':{'b':'c'}} | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}",
        "{'a':[{'b':'c'}]} | {'a':[1]} | {'a':[1]}",
        "{'e':null} | {'a':1} | {'e':null,'a':1}",
        "{} | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}",
        "{'a':'x'} | {'a':{'b':1,'c':null}} | {'a':{'b':1}}",
      })
  void theExamplesOfTheStandardHold(String target, String patch, String expected) {
    assertThat(MergePatch.apply(object(patch), object(target))).isEqualTo(object(expected));
  }

  @Test
  void aPatchThatIsNoObjectIsABadRequest() {
    assertThatThrownBy(() -> MergePatch.apply(json("[1]"), object("{}")))
        .hasMessage(
            "error decoding patch: json: cannot unmarshal array into Go value of type"
                + " map[string]interface {}");
  }
}
