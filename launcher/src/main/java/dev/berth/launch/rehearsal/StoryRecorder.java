package dev.berth.launch.rehearsal;

import dev.berth.client.ClientException;
import dev.berth.launch.rehearsal.RehearsalReport.Step;
import dev.berth.launch.rehearsal.RehearsalReport.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Plays the steps of a story one after the other, and records the result of each. Used by one
/// thread.
final class StoryRecorder {
  /// A result that differs from the story.
  static final class Mismatch extends RuntimeException {
    private static final long serialVersionUID = 1;

    Mismatch(String message) {
      super(message);
    }
  }

  /// The result of a step.
  record Outcome(List<String> facts, List<PodPlace> pods) {
    Outcome {
      facts = List.copyOf(facts);
      pods = List.copyOf(pods);
    }

    static Outcome of(List<PodPlace> pods) {
      return new Outcome(List.of(), pods);
    }

    static Outcome of(String fact) {
      return new Outcome(List.of(fact), List.of());
    }
  }

  /// A step of a story.
  @FunctionalInterface
  interface StepAction {
    /// Plays the step.
    ///
    /// @throws Mismatch when the cluster is not as the story has it
    Outcome play();
  }

  private final Consumer<String> progress;
  private final List<Step> steps = new ArrayList<>();
  private boolean holds = true;

  StoryRecorder(Consumer<String> progress) {
    this.progress = progress;
  }

  /// Plays a step, unless an earlier one failed.
  void step(String action, StepAction play) {
    if (!holds) {
      return;
    }
    progress.accept(action);
    try {
      Outcome outcome = play.play();
      steps.add(new Step(action, true, "", outcome.facts(), outcome.pods()));
      // Any other exception is a fault of the rehearsal itself and ends it.
    } catch (Mismatch | ClientException e) {
      holds = false;
      steps.add(new Step(action, false, String.valueOf(e.getMessage()), List.of(), List.of()));
    }
  }

  Story story(String title) {
    return new Story(title, holds, steps);
  }
}
