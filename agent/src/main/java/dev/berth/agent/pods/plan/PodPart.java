package dev.berth.agent.pods.plan;

/// The part of a pod that a step, a failure or a wait is about.
public sealed interface PodPart {
  /// The sandbox, or the pod as a whole.
  PodPart SANDBOX = new Sandbox();

  record Sandbox() implements PodPart {}

  record OneContainer(String name) implements PodPart {}

  static PodPart container(String name) {
    return new OneContainer(name);
  }
}
