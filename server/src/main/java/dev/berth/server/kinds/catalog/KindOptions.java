package dev.berth.server.kinds.catalog;

/// The choices of an administrator that change the rules of a kind.
///
/// @param immutableRuntimeHandlers refuse a change of a RuntimeClass's handler, as upstream does
public record KindOptions(boolean immutableRuntimeHandlers) {
  public static final KindOptions STANDARD = new KindOptions(false);
}
