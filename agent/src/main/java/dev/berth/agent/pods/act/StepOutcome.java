package dev.berth.agent.pods.act;

import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.WaitingCause;

/// What became of a step.
public sealed interface StepOutcome {
  /// The view of the service has what it did.
  record Done() implements StepOutcome {}

  /// The image of a container is there.
  record Pulled(String container, ImageDescription image) implements StepOutcome {}

  /// It did not work.
  ///
  /// @param part what failed
  /// @param reason and `message`: as a container's waiting state shows them
  /// @param cause decides about the back-off
  record Failed(PodPart part, String reason, String message, WaitingCause cause)
      implements StepOutcome {
    public Failed(PodPart part, String reason, String message) {
      this(part, reason, message, WaitingCause.OTHER);
    }
  }

  /// It was given up, or the service did not answer: nobody knows what it did.
  record Unknown(PodPart part, String message) implements StepOutcome {}
}
