package dev.berth.sim.service;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.sim.knobs.FaultRule.Facts;
import dev.berth.sim.knobs.FaultRules.Effect;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.time.SimClock;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Applies the profile and the fault rules to every call: refuses methods that the profile lacks,
/// delays, fails and holds up calls.
///
/// Waiting blocks the thread of the call only. A call that a rule fails never reaches the service,
/// so it has no effect on the model.
public final class FaultInterceptor implements ServerInterceptor {
  private final ServiceKnobs knobs;
  private final SimClock timeline;

  public FaultInterceptor(ServiceKnobs knobs, SimClock timeline) {
    this.knobs = knobs;
    this.timeline = timeline;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String service = String.valueOf(call.getMethodDescriptor().getServiceName());
    String method = String.valueOf(call.getMethodDescriptor().getBareMethodName());
    Optional<String> missing = missing(service, method);
    if (missing.isPresent()) {
      call.close(Status.UNIMPLEMENTED.withDescription(missing.get()), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      private Facts facts = Facts.NONE;
      private boolean refused;

      @Override
      public void onMessage(Q message) {
        // The rules apply at the half-close, when the whole request is known.
        facts = CallSubject.of(message);
        super.onMessage(message);
      }

      @Override
      public void onHalfClose() {
        Optional<Status> status = applyFaults(method, facts);
        if (status.isPresent()) {
          refused = true;
          call.close(status.get(), new Metadata());
        } else {
          super.onHalfClose();
        }
      }

      @Override
      public void onReady() {
        if (!refused) {
          super.onReady();
        }
      }
    };
  }

  private Optional<String> missing(String service, String method) {
    Optional<String> missing = knobs.profile().compatibility().missing(service, method);
    if (missing.isEmpty() && method.equals("GetContainerEvents") && !knobs.events()) {
      return Optional.of("method GetContainerEvents not implemented");
    }
    return missing;
  }

  /// Waits as long as the rules demand; returns the error of the call, if a rule fails it.
  private Optional<Status> applyFaults(String method, Facts facts) {
    Effect effect = knobs.faults().on(method, facts);
    try {
      GrpcCaller.current().pause(timeline, effect.latency());
      effect.hang().ifPresent(FaultInterceptor::hang);
    } catch (CallRefusal e) {
      return Optional.of(e.status());
    }
    return effect
        .failure()
        .map(failure -> failure.code().toStatus().withDescription(failure.text()));
  }

  /// Waits until the rule is removed or the caller gives up; afterwards the call goes on.
  private static void hang(CountDownLatch removed) {
    CountDownLatch over = new CountDownLatch(1);
    GrpcCaller.current().onGivingUp(over::countDown);
    Thread waker =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    removed.await();
                    over.countDown();
                  } catch (InterruptedException _) {
                    // The caller gave up before the rule was removed.
                  }
                });
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waker.interrupt();
    }
  }
}
