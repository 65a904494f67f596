package dev.berth.sim.shell;

import dev.berth.sim.time.Timeline;
import java.util.HashMap;
import java.util.Map;

/// What a process finds around it.
///
/// @param variables its own copy, which it changes
/// @param terminal whether a person types and reads
public record Surroundings(
    Timeline timeline,
    String hostname,
    Map<String, String> variables,
    FileTree files,
    Inbox inbox,
    Output output,
    boolean terminal) {
  public Surroundings {
    variables = new HashMap<>(variables);
  }

  Surroundings writingTo(Output other) {
    return new Surroundings(timeline, hostname, variables, files, inbox, other, terminal);
  }
}
