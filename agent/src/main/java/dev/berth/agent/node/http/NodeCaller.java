package dev.berth.agent.node.http;

import java.util.List;

/// An authenticated caller.
record NodeCaller(String name, List<String> groups) {
  NodeCaller {
    groups = List.copyOf(groups);
  }
}
