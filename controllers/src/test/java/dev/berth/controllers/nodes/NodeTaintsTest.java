package dev.berth.controllers.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeTaintsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.5Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a ready node has none"
            + "|{'status':{'conditions':[{'type':'Ready','status':'True'}]}}"
            + "|[]",
        "a new node loses its taint once it is ready"
            + "|{'spec':{'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'},{'key':'gpu','effect':'NoSchedule'}]},"
            + "'status':{'conditions':[{'type':'Ready','status':'True'}]}}"
            + "|[{'key':'gpu','effect':'NoSchedule'}]",
        "one that is not ready has two, with the time since when pods must go"
            + "|{'status':{'conditions':[{'type':'Ready','status':'False'}]}}"
            + "|[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'},{'key':'node.kubernetes.io/not-ready','effect':'NoExecute','timeAdded':'2030-01-01T00:00:00Z'}]",
        "one that has not reported yet keeps the taint it came with"
            + "|{'spec':{'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}]}}"
            + "|[{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}]",
        "one of which nothing is known any more is unreachable"
            + "|{'status':{'conditions':[{'type':'Ready','status':'Unknown'}]}}"
            + "|[{'key':'node.kubernetes.io/unreachable','effect':'NoSchedule'},{'key':'node.kubernetes.io/unreachable','effect':'NoExecute','timeAdded':'2030-01-01T00:00:00Z'}]",
        "pressure and cordon keep new pods away"
            + "|{'spec':{'unschedulable':true},'status':{'conditions':[{'type':'DiskPressure','status':'True'},{'type':'Ready','status':'True'}]}}"
            + "|[{'key':'node.kubernetes.io/disk-pressure','effect':'NoSchedule'},{'key':'node.kubernetes.io/unschedulable','effect':'NoSchedule'}]",
        "what is there already stays as it is"
            + "|{'spec':{'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoExecute','timeAdded':'2029-01-01T00:00:00Z'}]},"
            + "'status':{'conditions':[{'type':'Ready','status':'False'}]}}"
            + "|[{'key':'node.kubernetes.io/not-ready','effect':'NoExecute','timeAdded':'2029-01-01T00:00:00Z'},{'key':'node.kubernetes.io/not-ready','effect':'NoSchedule'}]"
      })
  void conditionsBecomeTaints(String name, String node, String taints) throws Exception {
    assertThat(NodeTaints.of(json(node), NOW)).isEqualTo(json(taints));
  }

  private static JsonNode json(String text) throws Exception {
    return new JsonMapper().readTree(text.replace('\'', '"'));
  }
}
