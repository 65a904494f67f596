package dev.berth.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.NodeEventChanges.NodeEvent;
import org.junit.jupiter.api.Test;

final class NodeEventChangesTest {
  @Test
  void aChangeIsToldOnceWithWhatItIsNow() {
    JsonNode ready = status("b1", "Ready=True", "MemoryPressure=False");
    JsonNode pressed = status("b1", "Ready=True", "MemoryPressure=True");

    assertThat(new NodeEventChanges("n1", ready).in(pressed, false))
        .containsExactly(
            new NodeEvent(
                false,
                "NodeHasInsufficientMemory",
                "Node n1 status is now: NodeHasInsufficientMemory"));
    assertThat(new NodeEventChanges("n1", pressed).in(pressed, false)).isEmpty();
  }

  @Test
  void anAgentThatStartsSaysOfWhatThereIsEnough() {
    JsonNode same = status("b1", "Ready=True", "PIDPressure=False");

    assertThat(new NodeEventChanges("n1", same).in(same, true))
        .extracting(NodeEvent::reason)
        .containsExactly("NodeHasSufficientPID");
    assertThat(new NodeEventChanges("n1", MissingNode.getInstance()).in(same, true))
        .extracting(NodeEvent::reason)
        .containsExactly("NodeReady", "NodeHasSufficientPID");
  }

  @Test
  void aMachineThatStartedAnewIsToldAsAWarning() {
    assertThat(new NodeEventChanges("n1", status("b1")).in(status("b2"), true))
        .containsExactly(new NodeEvent(true, "Rebooted", "Node n1 has been rebooted, boot id: b2"));
  }

  @Test
  void runtimeServicesHaveEventsOfTheirOwn() {
    assertThat(
            new NodeEventChanges("n1", status("b1", "RuntimeReady-qemu=True"))
                .in(status("b1", "RuntimeReady-qemu=False"), false))
        .containsExactly(new NodeEvent(true, "RuntimeServiceNotReady", "qemu: it is False"));
  }

  @Test
  void aServiceIsToldOnceItIsKnownHowItIs() {
    ObjectNode connecting = status("b1", "RuntimeReady-qemu=False");
    ((ObjectNode) connecting.at("/conditions/0")).put("reason", "RuntimeConnecting");

    assertThat(new NodeEventChanges("n1", status("b1")).in(connecting, false)).isEmpty();
    assertThat(
            new NodeEventChanges("n1", connecting)
                .in(status("b1", "RuntimeReady-qemu=False"), false))
        .extracting(NodeEvent::reason)
        .containsExactly("RuntimeServiceNotReady");
  }

  private static ObjectNode status(String boot, String... conditions) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.putObject("nodeInfo").put("bootID", boot);
    for (String condition : conditions) {
      String[] parts = condition.split("=", 2);
      status
          .withArray("conditions")
          .addObject()
          .put("type", parts[0])
          .put("status", parts[1])
          .put("message", "it is " + parts[1]);
    }
    return status;
  }
}
