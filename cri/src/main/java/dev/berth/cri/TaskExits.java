package dev.berth.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.cri.containerd.Envelope;
import dev.berth.cri.containerd.SubscribeRequest;
import dev.berth.cri.containerd.TaskExit;

/// Extracts the ids of ended containers from containerd's events.
///
/// containerd reports the end of every process, also of those that exec started in a container.
/// Only the first process has the id of its container; its end is the end of the container.
record TaskExits(EventReceiver<String> containers) implements EventReceiver<Envelope> {
  /// Subscribes to the namespace in which containerd keeps the containers of CRI.
  static final SubscribeRequest REQUEST =
      SubscribeRequest.newBuilder()
          .addFilters("namespace==\"k8s.io\",topic==\"/tasks/exit\"")
          .build();

  @Override
  public void accept(Envelope envelope) {
    TaskExit exit = exit(envelope);
    if (exit.getId().equals(exit.getContainerId())) {
      containers.accept(exit.getContainerId());
    }
  }

  private static TaskExit exit(Envelope envelope) {
    try {
      return TaskExit.parseFrom(envelope.getEvent().getValue());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          "containerd sent an event of topic " + envelope.getTopic() + " that cannot be read", e);
    }
  }
}
