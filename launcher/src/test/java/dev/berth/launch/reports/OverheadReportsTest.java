package dev.berth.launch.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OverheadReportsTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final List<MeasuredOverhead> MEASURED =
      MeasuredOverhead.read(
          List.of(
              node("n1", "{\"vm\":{\"pods\":3,\"memory\":\"90Mi\",\"largestMemory\":\"97Mi\"}}"),
              node(
                  "n2",
                  "{\"vm\":{\"pods\":2,\"memory\":\"80Mi\",\"largestMemory\":\"81Mi\","
                      + "\"cpu\":\"23m\"},\"runc\":{\"pods\":1,\"memory\":\"1Mi\"}}"),
              node("n3", "damaged")));

  @Test
  void theProposalCoversTheLargestSandboxOfAllNodes() {
    CommandReport report = OverheadReports.report(runtimeClass("vm"), MEASURED);

    assertThat(report.table(false))
        .isEqualTo(
            """
            RuntimeClass big (handler vm) declares overhead memory=32Mi; measured values propose \
            cpu=30m,memory=104Mi:
              kubectl patch runtimeclass big --type merge -p \
            '{"overhead":{"podFixed":{"cpu":"30m","memory":"104Mi"}}}'

            NODE   PODS   MEMORY   LARGEST MEMORY   CPU
            n1     3      90Mi     97Mi             -
            n2     2      80Mi     81Mi             23m
            """);
    assertThat(report.document().at("/proposed/memory").asText()).isEqualTo("104Mi");
  }

  @Test
  void aHandlerThatNoNodeMeasuredSaysSo() {
    CommandReport report = OverheadReports.report(runtimeClass("kata"), MEASURED);

    assertThat(report.headline()).contains("No node has measured sandboxes of this handler yet");
    assertThat(report.document().has("proposed")).isFalse();
  }

  @Test
  void theListShowsTheNodeWhereSandboxesCostTheMost() {
    assertThat(OverheadReports.cell("vm", MEASURED)).isEqualTo("memory=90Mi");
    assertThat(OverheadReports.cell("kata", MEASURED)).isEqualTo("-");
  }

  private static ObjectNode runtimeClass(String handler) {
    ObjectNode one = MAPPER.createObjectNode();
    one.withObject("/metadata").put("name", "big");
    one.put("handler", handler).withObject("/overhead/podFixed").put("memory", "32Mi");
    return one;
  }

  private static ObjectNode node(String name, String annotation) {
    ObjectNode node = MAPPER.createObjectNode();
    node.withObject("/metadata").put("name", name);
    node.withObject("/metadata/annotations").put("berth.dev/sandbox-overhead", annotation);
    return node;
  }
}
