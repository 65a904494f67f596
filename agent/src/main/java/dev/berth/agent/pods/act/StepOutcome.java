package dev.berth.agent.pods.act;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.WaitingCause;

/// The outcome of a step.
public sealed interface StepOutcome {
  /// The step succeeded and updated the view of the service.
  record Done() implements StepOutcome {}

  /// The image of a container is on the node.
  record Pulled(String container, ImageDescription image) implements StepOutcome {}

  /// The step failed.
  ///
  /// @param part what failed
  /// @param reason and `message`: as a container's waiting state shows them
  /// @param cause decides the back-off
  record Failed(PodPart part, String reason, String message, WaitingCause cause)
      implements StepOutcome {
    public Failed(PodPart part, String reason, String message) {
      this(part, reason, message, WaitingCause.OTHER);
    }
  }

  /// The step was cancelled, or the service did not answer: its effect is unknown.
  record Unknown(PodPart part, String message) implements StepOutcome {}
}
