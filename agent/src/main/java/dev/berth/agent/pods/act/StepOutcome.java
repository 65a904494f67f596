package dev.berth.agent.pods.act;

import dev.berth.agent.images.ImageDescription;

/// What became of a step.
public sealed interface StepOutcome {
  /// The view of the service has what it did.
  record Done() implements StepOutcome {}

  /// The image of a container is there.
  record Pulled(String container, ImageDescription image) implements StepOutcome {}

  /// It did not work.
  ///
  /// @param subject the container, or empty for the sandbox
  /// @param reason and `message`: as a container's waiting state shows them
  /// @param isPull whether it was about an image, for which there is a back-off of its own
  record Failed(String subject, String reason, String message, boolean isPull)
      implements StepOutcome {}

  /// It was given up, or the service did not answer: nobody knows what it did.
  record Unknown(String subject, String message) implements StepOutcome {}
}
