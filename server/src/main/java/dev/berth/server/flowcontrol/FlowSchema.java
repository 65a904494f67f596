package dev.berth.server.flowcontrol;

import dev.berth.server.auth.UserInfo;
import java.util.function.Predicate;

/// Assigns requests to a priority level and divides them into flows.
record FlowSchema(
    String name,
    PriorityLevel level,
    Distinguisher distinguisher,
    Origin origin,
    Predicate<FlowRequest> rule) {

  /// The attribute that divides requests of one schema into flows.
  enum Distinguisher {
    NONE,
    BY_USER,
    BY_NAMESPACE
  }

  /// What several flows may have in common. Upstream has no such thing: there, who has many
  /// accounts has as many shares.
  enum Origin {
    /// Nothing; users that an attacker cannot have many of.
    NONE,
    /// The namespace of a service account.
    ACCOUNT_NAMESPACE,
    /// The client's address; clients in the same process have none.
    ADDRESS
  }

  /// Requests with the same value share a queue.
  String flow(FlowRequest request) {
    return switch (distinguisher) {
      case NONE -> "";
      case BY_USER -> request.userFlow();
      case BY_NAMESPACE -> request.namespace();
    };
  }

  /// Flows with the same value share a {@link FlowGroup}; "" for a flow without origin.
  String originOf(FlowRequest request) {
    return switch (origin) {
      case NONE -> "";
      case ACCOUNT_NAMESPACE -> accountNamespace(request.user().name());
      case ADDRESS -> ClientAddress.of(request.client());
    };
  }

  private static String accountNamespace(String user) {
    String prefix = UserInfo.SERVICE_ACCOUNT_PREFIX;
    int end = user.startsWith(prefix) ? user.indexOf(':', prefix.length()) : -1;
    return end < 0 ? "" : user.substring(prefix.length(), end);
  }
}
