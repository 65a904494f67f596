package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.guest.wire.AnswerBody;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.ProtocolViolation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// What the guest reports about containers by itself, on its way to the listener.
final class ContainerOutputs {
  /// All output of a guest that the listener has not taken. A guest with more waits, with
  /// everything it sends: eight containers with both streams full, whose listener does not return.
  static final int MAXIMUM_BYTES = 1 << 20;

  private final GuestLink link;
  private final GuestListener listener;

  /// What the caller has of containers that the guest has not mentioned yet.
  private final Map<String, OutputPosition> positions;

  /// Changed by the thread that reads alone.
  private final Map<String, ContainerDelivery> deliveries = new ConcurrentHashMap<>();

  private final Semaphore room = new Semaphore(MAXIMUM_BYTES);

  private volatile @Nullable ConnectionEnd end;

  ContainerOutputs(GuestLink link, GuestListener listener, Map<String, OutputPosition> positions) {
    this.link = link;
    this.listener = listener;
    this.positions = new ConcurrentHashMap<>(positions);
  }

  /// Takes an `OUTPUT` frame.
  void output(byte[] payload) throws InterruptedException {
    BodyReader body = new BodyReader(payload);
    ContainerDelivery delivery = delivery(body.name());
    GuestStream stream = ChannelTable.stream(body.oneOf(body.u8(), 1));
    long offset = body.u64();
    byte[] bytes = body.rest();
    room.acquire(bytes.length);
    if (!delivery.output(stream, offset, bytes)) {
      room.release(bytes.length);
    }
  }

  /// Takes an `EXITED` frame.
  void exited(byte[] payload) {
    BodyReader body = new BodyReader(payload);
    String container = body.name();
    GuestExit exit = body.exit();
    body.end();
    delivery(container).exited(exit);
  }

  private ContainerDelivery delivery(String container) {
    ContainerDelivery known = deliveries.get(container);
    if (known != null) {
      return known;
    }
    if (deliveries.size() >= AnswerBody.MAXIMUM_CONTAINERS) {
      throw new ProtocolViolation(
          "output of more than %d containers".formatted(AnswerBody.MAXIMUM_CONTAINERS));
    }
    ContainerDelivery delivery =
        new ContainerDelivery(
            link,
            listener,
            container,
            positions.getOrDefault(container, OutputPosition.START),
            room::release);
    deliveries.put(container, delivery);
    delivery.start();
    if (end != null) {
      delivery.stop();
    }
    return delivery;
  }

  /// Drops a container that the guest has removed. Called by the thread that reads.
  void forget(String container) {
    positions.remove(container);
    ContainerDelivery delivery = deliveries.remove(container);
    if (delivery != null) {
      delivery.stop();
    }
  }

  void end(ConnectionEnd reason) {
    end = reason;
    deliveries.values().forEach(ContainerDelivery::stop);
  }

  boolean isDelivering(Thread thread) {
    return deliveries.values().stream().anyMatch(delivery -> delivery.runsOn(thread));
  }

  /// Waits until no call of the listener is under way.
  void awaitQuiet(long deadline) throws InterruptedException {
    for (ContainerDelivery delivery : deliveries.values()) {
      delivery.awaitQuiet(deadline);
    }
  }
}
