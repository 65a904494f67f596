package dev.berth.agent.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.InetAddress;

/// The addresses of a node in its status.
final class NodeAddresses {
  private NodeAddresses() {}

  static ArrayNode of(NodeOptions options) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (InetAddress address : options.addresses()) {
      list.addObject().put("type", "InternalIP").put("address", address.getHostAddress());
    }
    // The hostname is the node's name, as the kubelet's is: an upstream API server reaches nodes by
    // it.
    list.addObject().put("type", "Hostname").put("address", options.name());
    return list;
  }
}
