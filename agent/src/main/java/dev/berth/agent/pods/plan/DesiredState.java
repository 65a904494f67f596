package dev.berth.agent.pods.plan;

/// What the pod has to become.
public sealed interface DesiredState {
  /// The pod runs as its specification says.
  record Run() implements DesiredState {}

  /// The pod stops.
  ///
  /// @param grace for its containers to end by themselves
  /// @param remove whether containers and sandboxes are removed, too; otherwise they stay so that
  ///   logs can be read
  /// @param why for events
  record Stop(GracePeriod grace, boolean remove, String why) implements DesiredState {}
}
