package dev.berth.agent.node.http;

import java.util.List;

/// Who asks.
record Caller(String name, List<String> groups) {
  Caller {
    groups = List.copyOf(groups);
  }
}
