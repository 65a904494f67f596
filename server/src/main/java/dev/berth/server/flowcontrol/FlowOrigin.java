package dev.berth.server.flowcontrol;

import java.util.List;

/// What several flows may have in common. Upstream has no such thing: there, who has many accounts
/// has as many shares.
public record FlowOrigin(OriginKind kind, String value) {
  /// The origins of a request that others may have as well, the widest first.
  public static List<FlowOrigin> of(FlowRequest request) {
    return FlowSchemas.of(request).originsOf(request);
  }
}
