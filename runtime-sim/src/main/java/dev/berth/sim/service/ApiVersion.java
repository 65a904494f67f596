package dev.berth.sim.service;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/// Records under which version of CRI a call came in, because `Version` returns it. Both versions
/// share their messages and one implementation.
public final class ApiVersion implements ServerInterceptor {
  private static final Context.Key<String> NAME = Context.keyWithDefault("cri", "v1");

  static String ofCall() {
    return NAME.get();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String service = String.valueOf(call.getMethodDescriptor().getServiceName());
    if (!service.startsWith("runtime.v1alpha2.")) {
      return next.startCall(call, headers);
    }
    return Contexts.interceptCall(
        Context.current().withValue(NAME, "v1alpha2"), call, headers, next);
  }
}
