package dev.berth.server.flowcontrol;

import dev.berth.server.auth.UserInfo;
import java.util.List;
import java.util.function.Predicate;

/// Assigns requests to a priority level and divides them into flows.
record FlowSchema(
    String name,
    PriorityLevel level,
    Distinguisher distinguisher,
    OriginKind origin,
    Predicate<FlowRequest> rule) {

  /// The attribute that divides requests of one schema into flows.
  enum Distinguisher {
    NONE,
    BY_USER,
    BY_NAMESPACE
  }

  /// Requests with the same value share a queue.
  String flow(FlowRequest request) {
    return switch (distinguisher) {
      case NONE -> "";
      case BY_USER -> request.userFlow();
      case BY_NAMESPACE -> request.namespace();
    };
  }

  /// The origins of a flow, the widest first; those that it does not have are left out.
  List<FlowOrigin> originsOf(FlowRequest request) {
    FlowOrigin address = new FlowOrigin(OriginKind.ADDRESS, ClientAddress.of(request.client()));
    FlowOrigin namespace =
        new FlowOrigin(OriginKind.ACCOUNT_NAMESPACE, accountNamespace(request.user().name()));
    List<FlowOrigin> origins =
        switch (origin) {
          case NONE -> List.of();
          case ADDRESS -> List.of(address);
          case ACCOUNT_NAMESPACE -> List.of(address, namespace);
        };
    return origins.stream().filter(one -> !one.value().isEmpty()).toList();
  }

  private static String accountNamespace(String user) {
    String prefix = UserInfo.SERVICE_ACCOUNT_PREFIX;
    int end = user.startsWith(prefix) ? user.indexOf(':', prefix.length()) : -1;
    return end < 0 ? "" : user.substring(prefix.length(), end);
  }
}
