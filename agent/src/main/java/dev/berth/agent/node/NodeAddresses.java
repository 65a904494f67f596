package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.InetAddress;

/// Where a node can be reached, as its status tells it.
final class NodeAddresses {
  private NodeAddresses() {}

  static ArrayNode of(NodeOptions options) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (InetAddress address : options.addresses()) {
      list.addObject().put("type", "InternalIP").put("address", address.getHostAddress());
    }
    // The kubelet's is its name, too; an upstream API server reaches nodes by it.
    list.addObject().put("type", "Hostname").put("address", options.name());
    return list;
  }
}
