package dev.berth.agent.pods.plan;

/// What is wanted of a pod.
public sealed interface DesiredState {
  /// It is to run, as its specification says.
  record Run() implements DesiredState {}

  /// Nothing of it is to run any more.
  ///
  /// @param grace for its containers to end by themselves
  /// @param remove whether what is left of it goes, too; otherwise it stays for whoever reads logs
  /// @param why for events
  record Stop(GracePeriod grace, boolean remove, String why) implements DesiredState {}
}
