package dev.berth.agent.node;

/// One condition of the node, without timestamps.
record NodeCondition(String type, String status, String reason, String message) {
  static final String TRUE = "True";
  static final String FALSE = "False";
  static final String READY = "Ready";

  /// The prefix of the conditions of runtime services, which the scheduler reads.
  static final String RUNTIME = "RuntimeReady-";

  /// The reason of a runtime service's condition before its first answer.
  static final String CONNECTING = "RuntimeConnecting";

  static NodeCondition of(String type, boolean status, String reason, String message) {
    return new NodeCondition(type, status ? TRUE : FALSE, reason, message);
  }
}
