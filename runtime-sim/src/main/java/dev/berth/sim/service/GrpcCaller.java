package dev.berth.sim.service;

import dev.berth.sim.call.WaitingCaller;
import io.grpc.Context;

/// The gRPC client of the call that runs on this thread. It gives up when it cancels the call, when
/// its deadline passes, or when its connection ends.
public final class GrpcCaller implements WaitingCaller {
  private final Context context;

  private GrpcCaller(Context context) {
    this.context = context;
  }

  public static GrpcCaller current() {
    return new GrpcCaller(Context.current());
  }

  @Override
  public void onGivingUp(Runnable task) {
    context.addListener(_ -> task.run(), Runnable::run);
  }
}
