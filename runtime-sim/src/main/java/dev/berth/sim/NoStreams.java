package dev.berth.sim;

import dev.berth.sim.call.Refusal;
import dev.berth.sim.model.Container;
import dev.berth.sim.model.Sandbox;
import dev.berth.sim.service.StreamVerbs.Streams;
import dev.berth.sim.service.StreamVerbs.Wanted;
import io.grpc.Status;
import java.util.List;

/// A service without terminals.
final class NoStreams implements Streams {
  @Override
  public String exec(Container container, List<String> command, Wanted wanted) {
    throw refusal();
  }

  @Override
  public String attach(Container container, Wanted wanted) {
    throw refusal();
  }

  @Override
  public String portForward(Sandbox sandbox, List<Integer> ports) {
    throw refusal();
  }

  private static Refusal refusal() {
    return new Refusal(Status.Code.UNIMPLEMENTED, "no streaming server");
  }
}
