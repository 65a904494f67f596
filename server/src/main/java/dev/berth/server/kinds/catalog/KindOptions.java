package dev.berth.server.kinds.catalog;

/// Configuration that changes the rules of kinds.
///
/// @param immutableRuntimeHandlers whether a RuntimeClass's handler is immutable, as upstream
public record KindOptions(boolean immutableRuntimeHandlers) {
  public static final KindOptions STANDARD = new KindOptions(false);
}
