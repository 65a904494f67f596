package dev.berth.server.validation.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Mistakes in limit ranges; those that were captured are in GuardRailCapturesIT.
class LimitRangeValidationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'Container','max':{'cpu':'2'},'maxLimitRequestRatio':{'memory':'2'}}|",
        "{'type':'Node'}|spec.limits[0].type: Invalid value: \"Node\": must be a standard limit type or fully qualified",
        "{'type':'Pod'},{'type':'Pod'}|spec.limits[1].type: Duplicate value: \"Pod\"",
        "{'type':'Pod','max':{'disk':'1'}}|spec.limits[0].max[disk]: Invalid value: \"disk\": must be a standard resource type or fully qualified,"
            + " spec.limits[0].max[disk]: Invalid value: \"disk\": must be a standard resource for containers",
        "{'type':'PersistentVolumeClaim'}|spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
        "{'type':'Pod','maxLimitRequestRatio':{'cpu':'500m'}}|spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"500m\": ratio 500m is less than 1",
        "{'type':'Pod','min':{'cpu':'1'},'max':{'cpu':'2'},'maxLimitRequestRatio':{'cpu':'3'}}"
            + "|spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"3\": ratio 3 is greater than max/min = 2.000000",
        "{'type':'Container','default':{'hugepages-2Mi':'2Mi'},'defaultRequest':{'hugepages-2Mi':'1Mi'}}"
            + "|spec.limits[0].defaultRequest[hugepages-2Mi]: Invalid value: \"1Mi\": default value 2Mi must equal to defaultRequest value 1Mi in hugepages-2Mi",
        "{'type':'Container','default':{'cpu':'1'},'defaultRequest':{'cpu':'2'}}"
            + "|spec.limits[0].defaultRequest[cpu]: Invalid value: \"2\": default request value 2 is greater than default limit value 1",
      })
  void mistakesAreNamed(String items, String messages) {
    FieldErrors errors = new FieldErrors();
    String text = "{'spec':{'limits':[" + items + "]}}";
    new LimitRangeValidation()
        .onCreate(
            (ObjectNode)
                JsonTrees.parseTrusted(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
            errors);
    assertThat(errors.toList().stream().map(FieldError::toString).collect(Collectors.joining(", ")))
        .isEqualTo(messages == null ? "" : messages);
  }
}
