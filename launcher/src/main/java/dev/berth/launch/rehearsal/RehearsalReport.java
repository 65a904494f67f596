package dev.berth.launch.rehearsal;

import java.util.List;

/// The result of a rehearsal.
public record RehearsalReport(boolean holds, List<Story> stories) {
  public RehearsalReport {
    stories = List.copyOf(stories);
  }

  static RehearsalReport of(List<Story> stories) {
    return new RehearsalReport(stories.stream().allMatch(Story::holds), stories);
  }

  /// A story; it ends at the first step that fails.
  public record Story(String title, boolean holds, List<Step> steps) {
    public Story {
      steps = List.copyOf(steps);
    }
  }

  /// An action of an administrator or a developer.
  ///
  /// @param problem empty when the result is as the story has it
  /// @param facts further results, such as counts
  /// @param pods the places of pods after the step
  public record Step(
      String action, boolean holds, String problem, List<String> facts, List<PodPlace> pods) {
    public Step {
      facts = List.copyOf(facts);
      pods = List.copyOf(pods);
    }
  }
}
