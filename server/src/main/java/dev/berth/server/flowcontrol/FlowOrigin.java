package dev.berth.server.flowcontrol;

import java.util.List;

/// What several flows may have in common. Upstream has no such thing: there, who has many accounts
/// has as many shares.
public record FlowOrigin(Kind kind, String value) {
  /// The kinds of origins.
  public enum Kind {
    /// Nothing; users that an attacker cannot have many of.
    NONE,
    /// The client's address; clients in the same process have none.
    ADDRESS,
    /// The namespace of a service account, as a part of the client's address: else one address with
    /// accounts of a thousand namespaces would have a thousand shares.
    ACCOUNT_NAMESPACE
  }

  /// The origins of a request that others may have as well, the widest first.
  public static List<FlowOrigin> of(FlowRequest request) {
    return FlowSchemas.of(request).originsOf(request);
  }
}
