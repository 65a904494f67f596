package dev.berth.sim;

import dev.berth.sim.images.PullSpeed;
import dev.berth.sim.knobs.ExitRule;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.ServiceKnobs;
import java.util.List;

/// The settings that a service starts with; they can change while it runs, and a restart of the
/// service keeps the changes.
///
/// @param events whether `GetContainerEvents` is implemented
public record InitialKnobs(
    List<FaultRule> faults, List<ExitRule> exits, PullSpeed pulls, boolean events) {
  public static final InitialKnobs NONE =
      new InitialKnobs(List.of(), List.of(), PullSpeed.INSTANT, true);

  public InitialKnobs {
    faults = List.copyOf(faults);
    exits = List.copyOf(exits);
  }

  void apply(ServiceKnobs knobs) {
    faults.forEach(knobs.faults()::add);
    exits.forEach(knobs.exits()::add);
    knobs.pulls(pulls);
    knobs.events(events);
  }
}
