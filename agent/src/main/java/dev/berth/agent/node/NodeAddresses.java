package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.agent.node.machine.MachineFacts;
import java.net.InetAddress;

/// Where a node can be reached, as its status tells it.
final class NodeAddresses {
  private NodeAddresses() {}

  static ArrayNode of(NodeOptions options, MachineFacts machine) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (InetAddress address : options.addresses()) {
      list.addObject().put("type", "InternalIP").put("address", address.getHostAddress());
    }
    list.addObject().put("type", "Hostname").put("address", machine.hostname());
    return list;
  }
}
