package dev.berth.cri;

import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;

/// The older version of CRI. Its messages are those of v1 with fewer fields, so only the method
/// names differ.
///
/// Kubernetes removed the version in 1.26. containerd 1.6 serves both, older containerd and CRI-O
/// only this one.
public final class CriV1alpha2 {
  static final String NAME = "v1alpha2";
  private static final String NEW_PACKAGE = "runtime.v1.";
  private static final String OLD_PACKAGE = "runtime.v1alpha2.";

  private CriV1alpha2() {}

  /// The same service under its older name.
  public static ServerServiceDefinition of(ServerServiceDefinition v1) {
    ServerServiceDefinition.Builder old =
        ServerServiceDefinition.builder(renamed(v1.getServiceDescriptor().getName()));
    v1.getMethods().forEach(method -> add(old, method));
    return old.build();
  }

  static <Q, R> MethodDescriptor<Q, R> of(MethodDescriptor<Q, R> v1) {
    return v1.toBuilder()
        .setFullMethodName(renamed(v1.getFullMethodName()))
        // The schema names the method of v1, which would contradict the new name.
        .setSchemaDescriptor(null)
        .build();
  }

  private static <Q, R> void add(
      ServerServiceDefinition.Builder service, ServerMethodDefinition<Q, R> method) {
    service.addMethod(of(method.getMethodDescriptor()), method.getServerCallHandler());
  }

  private static String renamed(String name) {
    if (!name.startsWith(NEW_PACKAGE)) {
      throw new IllegalArgumentException(name + " is not a service of CRI v1");
    }
    return OLD_PACKAGE + name.substring(NEW_PACKAGE.length());
  }
}
