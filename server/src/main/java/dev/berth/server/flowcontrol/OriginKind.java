package dev.berth.server.flowcontrol;

/// The kinds of origins that flows may have in common.
public enum OriginKind {
  /// Nothing; users that an attacker cannot have many of.
  NONE,
  /// The client's address; clients in the same process have none.
  ADDRESS,
  /// The namespace of a service account, as a part of the client's address: else one address with
  /// accounts of a thousand namespaces would have a thousand shares.
  ACCOUNT_NAMESPACE
}
