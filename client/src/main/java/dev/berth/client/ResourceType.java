package dev.berth.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// Where a kind is served: group, version and plural name, and whether its objects have a
/// namespace.
///
/// The constants are the kinds that Berth's own loops use; any other kind comes from discovery.
public record ResourceType(
    String group, String version, String plural, String kind, boolean namespaced) {
  public static final ResourceType NAMESPACES = core("namespaces", "Namespace", false);
  public static final ResourceType NODES = core("nodes", "Node", false);
  public static final ResourceType PODS = core("pods", "Pod", true);
  public static final ResourceType EVENTS = core("events", "Event", true);
  public static final ResourceType CONFIG_MAPS = core("configmaps", "ConfigMap", true);
  public static final ResourceType SECRETS = core("secrets", "Secret", true);
  public static final ResourceType SERVICES = core("services", "Service", true);
  public static final ResourceType SERVICE_ACCOUNTS =
      core("serviceaccounts", "ServiceAccount", true);
  public static final ResourceType RESOURCE_QUOTAS = core("resourcequotas", "ResourceQuota", true);
  public static final ResourceType DEPLOYMENTS =
      new ResourceType("apps", "v1", "deployments", "Deployment", true);
  public static final ResourceType REPLICA_SETS =
      new ResourceType("apps", "v1", "replicasets", "ReplicaSet", true);
  public static final ResourceType DAEMON_SETS =
      new ResourceType("apps", "v1", "daemonsets", "DaemonSet", true);
  public static final ResourceType CONTROLLER_REVISIONS =
      new ResourceType("apps", "v1", "controllerrevisions", "ControllerRevision", true);
  public static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases", "Lease", true);
  public static final ResourceType RUNTIME_CLASSES =
      new ResourceType("node.k8s.io", "v1", "runtimeclasses", "RuntimeClass", false);
  public static final ResourceType CLUSTER_ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false);

  public static final ResourceType CERTIFICATE_SIGNING_REQUESTS =
      new ResourceType(
          "certificates.k8s.io",
          "v1",
          "certificatesigningrequests",
          "CertificateSigningRequest",
          false);

  private static ResourceType core(String plural, String kind, boolean namespaced) {
    return new ResourceType("", "v1", plural, kind, namespaced);
  }

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /// How messages name the resource: `pods`, `deployments.apps`.
  public String qualifiedPlural() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /// The path of the collection; an empty namespace means all namespaces.
  public String collectionPath(String namespace) {
    String root = (group.isEmpty() ? "/api/" : "/apis/" + group + "/") + version;
    return root + (namespace.isEmpty() ? "" : "/namespaces/" + encode(namespace)) + "/" + plural;
  }

  /// The path of one object.
  public String path(ObjectKey key) {
    if (namespaced == key.namespace().isEmpty()) {
      throw new IllegalArgumentException(
          "%s are %s, but the key was %s"
              .formatted(qualifiedPlural(), namespaced ? "namespaced" : "cluster-scoped", key));
    }
    return collectionPath(key.namespace()) + "/" + encode(key.name());
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return qualifiedPlural();
  }
}
