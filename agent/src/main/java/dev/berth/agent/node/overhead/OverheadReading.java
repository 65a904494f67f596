package dev.berth.agent.node.overhead;

import java.time.Instant;
import java.util.List;

/// The samples of all sandboxes at one moment.
record OverheadReading(Instant time, List<SandboxSample> samples) {
  OverheadReading {
    samples = List.copyOf(samples);
  }
}
