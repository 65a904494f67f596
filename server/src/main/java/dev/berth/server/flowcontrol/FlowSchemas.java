package dev.berth.server.flowcontrol;

import static dev.berth.server.flowcontrol.FlowSchema.Distinguisher.BY_NAMESPACE;
import static dev.berth.server.flowcontrol.FlowSchema.Distinguisher.BY_USER;
import static dev.berth.server.flowcontrol.FlowSchema.Distinguisher.NONE;

import dev.berth.server.auth.UserInfo;
import java.util.List;
import java.util.Set;

/// Upstream's built-in flow schemas, in the order of their precedence.
///
/// Upstream lets administrators change schemas as objects of the API; here the built-in ones are
/// fixed, so choosing one takes neither lookup nor lock.
public final class FlowSchemas {
  private static final String CONTROLLERS = "system:kube-controller-manager";
  private static final String SCHEDULER = "system:kube-scheduler";
  private static final String SYSTEM_ACCOUNTS = UserInfo.SERVICE_ACCOUNT_PREFIX + "kube-system:";
  private static final Set<String> ENDPOINT_USERS =
      Set.of(
          CONTROLLERS,
          SYSTEM_ACCOUNTS + "endpoint-controller",
          SYSTEM_ACCOUNTS + "endpointslicemirroring-controller");
  private static final Set<String> LEASE_VERBS = Set.of("get", "create", "update");
  private static final List<String> PROBES = List.of("/healthz", "/livez", "/readyz");

  private static final FlowSchema CATCH_ALL =
      new FlowSchema("catch-all", PriorityLevel.CATCH_ALL, BY_USER, OriginKind.ADDRESS, _ -> true);

  static final List<FlowSchema> ALL =
      List.of(
          new FlowSchema(
              "exempt",
              PriorityLevel.EXEMPT,
              NONE,
              OriginKind.NONE,
              request -> request.user().isMaster()),
          new FlowSchema(
              "probes", PriorityLevel.EXEMPT, NONE, OriginKind.NONE, FlowSchemas::isProbe),
          new FlowSchema(
              "system-leader-election",
              PriorityLevel.LEADER_ELECTION,
              BY_USER,
              OriginKind.NONE,
              request ->
                  isLease(request)
                      && LEASE_VERBS.contains(request.verb())
                      && (isComponent(request) || isSystemAccount(request))),
          new FlowSchema(
              "endpoint-controller",
              PriorityLevel.WORKLOAD_HIGH,
              BY_USER,
              OriginKind.NONE,
              request ->
                  request.isAbout("", "endpoints")
                      && LEASE_VERBS.contains(request.verb())
                      && ENDPOINT_USERS.contains(request.user().name())),
          new FlowSchema(
              "system-node-high",
              PriorityLevel.NODE_HIGH,
              BY_USER,
              OriginKind.NONE,
              request -> isOf(request, UserInfo.NODES) && (isNode(request) || isLease(request))),
          new FlowSchema(
              "system-nodes",
              PriorityLevel.SYSTEM,
              BY_USER,
              OriginKind.NONE,
              request -> isOf(request, UserInfo.NODES)),
          new FlowSchema(
              "kube-controller-manager",
              PriorityLevel.WORKLOAD_HIGH,
              BY_NAMESPACE,
              OriginKind.NONE,
              request -> request.user().name().equals(CONTROLLERS)),
          new FlowSchema(
              "kube-scheduler",
              PriorityLevel.WORKLOAD_HIGH,
              BY_NAMESPACE,
              OriginKind.NONE,
              request -> request.user().name().equals(SCHEDULER)),
          new FlowSchema(
              "kube-system-service-accounts",
              PriorityLevel.WORKLOAD_HIGH,
              BY_NAMESPACE,
              OriginKind.NONE,
              FlowSchemas::isSystemAccount),
          new FlowSchema(
              "service-accounts",
              PriorityLevel.WORKLOAD_LOW,
              BY_USER,
              OriginKind.ACCOUNT_NAMESPACE,
              request -> request.user().name().startsWith(UserInfo.SERVICE_ACCOUNT_PREFIX)),
          new FlowSchema(
              "global-default",
              PriorityLevel.GLOBAL_DEFAULT,
              BY_USER,
              OriginKind.ADDRESS,
              request ->
                  isOf(request, UserInfo.AUTHENTICATED) || isOf(request, UserInfo.UNAUTHENTICATED)),
          CATCH_ALL);

  private FlowSchemas() {}

  /// The first one that matches; the last one matches everything.
  static FlowSchema of(FlowRequest request) {
    for (FlowSchema schema : ALL) {
      if (schema.rule().test(request)) {
        return schema;
      }
    }
    return CATCH_ALL;
  }

  private static boolean isOf(FlowRequest request, String group) {
    return request.user().groups().contains(group);
  }

  private static boolean isComponent(FlowRequest request) {
    return request.user().name().equals(CONTROLLERS) || request.user().name().equals(SCHEDULER);
  }

  private static boolean isSystemAccount(FlowRequest request) {
    return request.user().name().startsWith(SYSTEM_ACCOUNTS);
  }

  private static boolean isLease(FlowRequest request) {
    return request.isAbout("coordination.k8s.io", "leases") && request.subresource().isEmpty();
  }

  private static boolean isNode(FlowRequest request) {
    return request.isAbout("", "nodes")
        && (request.subresource().isEmpty() || request.subresource().equals("status"));
  }

  /// Returns whether the request is a health check, including a single check such as
  /// `/readyz/etcd`.
  private static boolean isProbe(FlowRequest request) {
    return !request.isResource()
        && request.verb().equals("get")
        && PROBES.stream()
            .anyMatch(path -> request.path().equals(path) || request.path().startsWith(path + "/"));
  }
}
