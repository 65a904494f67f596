package dev.berth.agent.pods.plan;

/// What is wanted of a pod.
public sealed interface Wish {
  /// It is to run, as its specification says.
  record Run() implements Wish {}

  /// Nothing of it is to run any more.
  ///
  /// @param grace for its containers to end by themselves
  /// @param remove whether what is left of it goes, too; otherwise it stays for whoever reads logs
  /// @param why for events
  record Stop(Grace grace, boolean remove, String why) implements Wish {}
}
