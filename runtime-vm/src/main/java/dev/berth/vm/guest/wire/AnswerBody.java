package dev.berth.vm.guest.wire;

import dev.berth.vm.guest.model.GuestContainerState;
import dev.berth.vm.guest.model.GuestUsage;
import dev.berth.vm.guest.model.GuestUsage.ContainerUsage;
import dev.berth.vm.guest.model.GuestUsage.NetworkUsage;
import dev.berth.vm.guest.model.GuestUsage.VolumeUsage;
import java.util.List;

/// Results with many values.
public final class AnswerBody {
  /// More than a machine has room for.
  public static final int MAXIMUM_CONTAINERS = 256;

  private static final int MAXIMUM_VOLUMES = 1024;
  private static final int NAME = Integer.BYTES + 1;
  private static final int STATE = NAME + Long.BYTES + 2;
  private static final int CONTAINER = NAME + 9 * Long.BYTES;
  private static final int VOLUME = NAME + 2 * Long.BYTES;

  private AnswerBody() {}

  public static List<GuestContainerState> states(BodyReader body) {
    return body.list(MAXIMUM_CONTAINERS, STATE, AnswerBody::state);
  }

  public static GuestUsage usage(BodyReader body) {
    return new GuestUsage(
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        new NetworkUsage(body.counter(), body.counter(), body.counter(), body.counter()),
        body.list(MAXIMUM_CONTAINERS, CONTAINER, AnswerBody::container),
        body.list(MAXIMUM_VOLUMES, VOLUME, AnswerBody::volume));
  }

  private static GuestContainerState state(BodyReader body) {
    return new GuestContainerState(
        body.name(), body.time(), body.optional(BodyReader::time), body.optional(BodyReader::exit));
  }

  private static ContainerUsage container(BodyReader body) {
    return new ContainerUsage(
        body.name(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter(),
        body.counter());
  }

  private static VolumeUsage volume(BodyReader body) {
    return new VolumeUsage(body.name(), body.counter(), body.counter());
  }
}
