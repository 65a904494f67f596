package dev.berth.server.kinds;

import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.Schema;
import java.util.List;

/// The entries of the group apps.
final class AppsKinds {
  private static final String GROUP = "apps";

  private AppsKinds() {}

  static List<ResourceKind> entries(Schema schema) {
    return List.of(deployment(schema), replicaSet(schema), daemonSet(schema), statefulSet(schema));
  }

  private static ResourceKind deployment(Schema schema) {
    ObjectType type = schema.type("apps.v1.Deployment");
    return KindEntry.of(GROUP, "Deployment", "deployments")
        .shortNames("deploy")
        .inAll()
        .version("v1", type)
        .served(
            new ServedVersion(
                "extensions", "v1beta1", type, new ExtensionsDeploymentConversion(), true))
        .scale()
        .status()
        .generation()
        .strategy(new DeploymentStrategy())
        .build();
  }

  private static ResourceKind replicaSet(Schema schema) {
    return KindEntry.of(GROUP, "ReplicaSet", "replicasets")
        .shortNames("rs")
        .inAll()
        .version("v1", schema.type("apps.v1.ReplicaSet"))
        .scale()
        .status()
        .generation()
        .build();
  }

  private static ResourceKind daemonSet(Schema schema) {
    return KindEntry.of(GROUP, "DaemonSet", "daemonsets")
        .shortNames("ds")
        .inAll()
        .version("v1", schema.type("apps.v1.DaemonSet"))
        .status()
        .generation()
        .strategy(new DaemonSetStrategy())
        .build();
  }

  private static ResourceKind statefulSet(Schema schema) {
    return KindEntry.of(GROUP, "StatefulSet", "statefulsets")
        .shortNames("sts")
        .inAll()
        .version("v1", schema.type("apps.v1.StatefulSet"))
        .scale()
        .status()
        .generation()
        .build();
  }
}
