package dev.berth.cri;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.cri.v1.PodSandboxMetadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;

/// Reads container events in both formats: field 4 held the sandbox's metadata in Kubernetes 1.25,
/// and holds its status since 1.26.
///
/// A message read in the wrong format fails or, worse, yields a sandbox whose id is a pod's name.
/// The reader therefore inspects the wire types first: field 3 of the metadata is a text, field 3
/// of a status is a number.
///
/// Only the client uses it: servers of this project send the newer format.
final class ContainerEventMarshaller implements MethodDescriptor.Marshaller<ContainerEvent> {
  private static final int SANDBOX = ContainerEventResponse.POD_SANDBOX_STATUS_FIELD_NUMBER;

  @Override
  public InputStream stream(ContainerEvent event) {
    throw new UnsupportedOperationException("events cannot be written");
  }

  @Override
  public ContainerEvent parse(InputStream stream) {
    try {
      return parse(stream.readAllBytes());
    } catch (IOException e) {
      throw Status.INTERNAL
          .withDescription("the container event cannot be read")
          .withCause(e)
          .asRuntimeException();
    }
  }

  private static ContainerEvent parse(byte[] bytes) throws InvalidProtocolBufferException {
    // A parse without a schema keeps the wire types, which a parse with the wrong schema would
    // hide.
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(bytes);
    List<ByteString> sandboxes = fields.getField(SANDBOX).getLengthDelimitedList();
    if (!sandboxes.isEmpty() && holdsMetadata(sandboxes.getLast())) {
      ByteString others = fields.toBuilder().clearField(SANDBOX).build().toByteString();
      PodSandboxMetadata pod = PodSandboxMetadata.parseFrom(sandboxes.getLast());
      return event(ContainerEventResponse.parseFrom(others), pod);
    }
    ContainerEventResponse response = ContainerEventResponse.parseFrom(bytes);
    return event(response, response.getPodSandboxStatus().getMetadata());
  }

  private static boolean holdsMetadata(ByteString sandbox) throws InvalidProtocolBufferException {
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(sandbox);
    return !fields
        .getField(PodSandboxMetadata.NAMESPACE_FIELD_NUMBER)
        .getLengthDelimitedList()
        .isEmpty();
  }

  private static ContainerEvent event(ContainerEventResponse response, PodSandboxMetadata pod) {
    return new ContainerEvent(
        response.getContainerId(),
        response.getContainerEventType(),
        Instant.ofEpochSecond(0, response.getCreatedAt()),
        pod,
        response.hasPodSandboxStatus() ? response.getPodSandboxStatus() : null,
        response.getContainersStatusesList());
  }
}
