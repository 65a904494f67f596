package dev.berth.server.kinds.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.AcceptedSpellings;
import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.defaults.WorkloadDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.conversions.ExtensionsDeploymentConversion;
import dev.berth.server.kinds.strategies.DaemonSetStrategy;
import dev.berth.server.kinds.strategies.DeploymentStrategy;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.validation.fields.NameRule;
import dev.berth.server.validation.workloads.ControllerRevisionValidation;
import dev.berth.server.validation.workloads.DaemonSetValidation;
import dev.berth.server.validation.workloads.DeploymentValidation;
import dev.berth.server.validation.workloads.ReplicaSetValidation;
import dev.berth.server.validation.workloads.StatefulSetValidation;
import java.util.List;

/// The entries of the group apps.
final class AppsKinds {
  private static final String GROUP = "apps";

  private AppsKinds() {}

  static List<ResourceKind> entries(ObjectSchema schema) {
    return List.of(
        deployment(schema),
        replicaSet(schema),
        daemonSet(schema),
        statefulSet(schema),
        controllerRevision(schema));
  }

  private static ResourceKind deployment(ObjectSchema schema) {
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
        .metadataCheckedOnce()
        .rules(WorkloadDefaults::deployment, new DeploymentValidation())
        .leniency(AppsKinds::templateLeniency)
        .strategy(new DeploymentStrategy())
        .build();
  }

  private static ResourceKind replicaSet(ObjectSchema schema) {
    return KindEntry.of(GROUP, "ReplicaSet", "replicasets")
        .shortNames("rs")
        .inAll()
        .version("v1", schema.type("apps.v1.ReplicaSet"))
        .rules(WorkloadDefaults::replicaSet, new ReplicaSetValidation())
        .leniency(AppsKinds::templateLeniency)
        .scale()
        .status()
        .generation()
        .build();
  }

  private static ResourceKind daemonSet(ObjectSchema schema) {
    return KindEntry.of(GROUP, "DaemonSet", "daemonsets")
        .shortNames("ds")
        .inAll()
        .version("v1", schema.type("apps.v1.DaemonSet"))
        .status()
        .generation()
        .rules(WorkloadDefaults::daemonSet, new DaemonSetValidation())
        .leniency(AppsKinds::templateLeniency)
        .strategy(new DaemonSetStrategy())
        .build();
  }

  private static ResourceKind statefulSet(ObjectSchema schema) {
    return KindEntry.of(GROUP, "StatefulSet", "statefulsets")
        .shortNames("sts")
        .inAll()
        .named(NameRule.DNS_LABEL)
        .version("v1", schema.type("apps.v1.StatefulSet"))
        .metadataCheckedOnce()
        .rules(WorkloadDefaults::statefulSet, new StatefulSetValidation())
        .leniency(AppsKinds::templateLeniency)
        .scale()
        .status()
        .generation()
        .build();
  }

  private static ResourceKind controllerRevision(ObjectSchema schema) {
    return KindEntry.of(GROUP, "ControllerRevision", "controllerrevisions")
        .version("v1", schema.type("apps.v1.ControllerRevision"))
        .rules(ObjectDefaults.NONE, new ControllerRevisionValidation())
        .build();
  }

  /// Accepts the same alternative spellings in pod templates as in pods.
  static void templateLeniency(ObjectNode workload) {
    if (workload.path("spec").path("template") instanceof ObjectNode template) {
      AcceptedSpellings.accept(template);
    }
  }
}
