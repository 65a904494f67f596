package dev.berth.launch.rehearsal;

import java.util.List;

/// What became of a rehearsal.
public record RehearsalReport(boolean holds, List<Story> stories) {
  public RehearsalReport {
    stories = List.copyOf(stories);
  }

  static RehearsalReport of(List<Story> stories) {
    return new RehearsalReport(stories.stream().allMatch(Story::holds), stories);
  }

  /// One story; it ends at the first step that fails.
  public record Story(String title, boolean holds, List<Step> steps) {
    public Story {
      steps = List.copyOf(steps);
    }
  }

  /// Something that an administrator or a developer does.
  ///
  /// @param problem empty when everything is as the story has it
  /// @param facts what else there is to say, such as counts
  /// @param pods where they run after the step
  public record Step(
      String action, boolean holds, String problem, List<String> facts, List<PodPlace> pods) {
    public Step {
      facts = List.copyOf(facts);
      pods = List.copyOf(pods);
    }
  }
}
