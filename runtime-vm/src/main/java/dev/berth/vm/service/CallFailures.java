package dev.berth.vm.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.images.ImageException;
import dev.berth.vm.machine.MachineException;
import dev.berth.vm.network.NetworkException;
import dev.berth.vm.pods.state.StateException;
import dev.berth.vm.pods.volumes.VolumeException;
import io.grpc.Status;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The failures of the parts of a pod as gRPC errors.
///
/// A guest that does not answer is UNKNOWN, as most errors of containerd are: UNAVAILABLE and
/// DEADLINE_EXCEEDED mean to a client that the whole runtime does not answer.
final class CallFailures {
  private static final Logger log = LoggerFactory.getLogger(CallFailures.class);

  private CallFailures() {}

  static <T> T refusing(Supplier<T> action) {
    try {
      return action.get();
    } catch (CallRefusal e) {
      throw e;
    } catch (RuntimeException e) {
      throw refusal(e);
    }
  }

  static CallRefusal refusal(RuntimeException failure) {
    Status.Code code =
        switch (failure) {
          case CallRefusal refusal -> refusal.code();
          case GuestException guest -> code(guest.kind());
          case ImageException image -> code(image.kind());
          case VolumeException _ -> Status.Code.INVALID_ARGUMENT;
          case StateException _ -> Status.Code.RESOURCE_EXHAUSTED;
          case MachineException _, NetworkException _ -> Status.Code.UNKNOWN;
          default -> {
            log.error("call failed", failure);
            yield Status.Code.INTERNAL;
          }
        };
    return new CallRefusal(code, String.valueOf(failure.getMessage()));
  }

  private static Status.Code code(GuestException.FailureKind kind) {
    return switch (kind) {
      case NOT_FOUND -> Status.Code.NOT_FOUND;
      case EXISTS -> Status.Code.ALREADY_EXISTS;
      case INVALID -> Status.Code.INVALID_ARGUMENT;
      case WRONG_STATE -> Status.Code.FAILED_PRECONDITION;
      case FAILED, TIMEOUT, DISCONNECTED, HOSTILE -> Status.Code.UNKNOWN;
    };
  }

  private static Status.Code code(ImageException.ImageFailure kind) {
    return switch (kind) {
      case NOT_FOUND -> Status.Code.NOT_FOUND;
      case INVALID -> Status.Code.INVALID_ARGUMENT;
      case NO_SPACE -> Status.Code.RESOURCE_EXHAUSTED;
      case REGISTRY, FAILED -> Status.Code.UNKNOWN;
    };
  }
}
