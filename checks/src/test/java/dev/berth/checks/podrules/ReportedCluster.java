package dev.berth.checks.podrules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.api.ResourceAmounts;
import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.nodes.AdvertisedRuntimes;
import dev.berth.controllers.quotas.ResourceQuotas;
import dev.berth.registry.placement.HandlerPlatforms;
import dev.berth.scheduler.explain.ClusterExplanations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// A pod and a node in an API server, for the users of a pod's meaning that read objects there:
/// controllers, the command line, and the registry's view of a node.
final class ReportedCluster implements AutoCloseable {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final ObjectKey POD = new ObjectKey("default", "web");
  private static final ObjectKey QUOTA = new ObjectKey("default", "quota");

  private final InstantSource clock = InstantSource.system();
  private final FakeApi server =
      new FakeApi(
          List.of(
              ResourceType.CONFIG_MAPS,
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              ResourceType.PODS,
              ResourceType.RESOURCE_QUOTAS,
              ResourceType.RUNTIME_CLASSES),
          clock);
  private final ApiClient client = new ApiClient(server);
  private final DelayedActions delays = DelayedActions.realTime();
  private final ControllerContext context =
      new ControllerContext(client, delays, clock, new Random(1));

  ReportedCluster(ObjectNode pod) {
    server.createNamespace("default");
    server.createNamespace("kube-public");
    server.create(ResourceType.PODS, pod.deepCopy());
  }

  /// A node whose only runtime service is of a type.
  static ObjectNode node(String workloadType, long milliCpu, long memory) throws Exception {
    return (ObjectNode)
        YAML.readTree(
            """
            metadata:
              name: n
              labels: {kubernetes.io/os: linux, kubernetes.io/arch: amd64, kubernetes.io/hostname: n}
              annotations: {berth.dev/runtime-services: '{"s": {"workloadType": "%s", "handlers": ["h"], "default": true}}'}
            spec: {}
            status:
              allocatable: {cpu: %dm, memory: '%d', pods: '10'}
              conditions: [{type: Ready, status: 'True'}, {type: RuntimeReady-s, status: 'True'}]
            """
                .formatted(workloadType, milliCpu, memory));
  }

  /// What the quota controller counts.
  ResourceAmounts countedByTheQuotaController() throws Exception {
    server.create(
        ResourceType.RESOURCE_QUOTAS,
        (ObjectNode)
            YAML.readTree(
                "{metadata: {namespace: default, name: quota}, spec: {hard: {pods: '9',"
                    + " requests.cpu: '99', requests.memory: 99Gi}}}"));
    try (ResourceQuotas _ = new ResourceQuotas(context)) {
      JsonNode used =
          await(
              () ->
                  server
                      .find(ResourceType.RESOURCE_QUOTAS, QUOTA)
                      .orElseThrow()
                      .at("/status/used"));
      return ResourceAmounts.of(used);
    }
  }

  /// What the node controller publishes about the services of a node.
  String advertisedTypeOf(ObjectNode node) {
    server.create(ResourceType.NODES, node);
    try (Informer<ObjectNode> nodes =
            context.informer(client.json(ResourceType.NODES), ListQuery.ALL);
        AdvertisedRuntimes _ = new AdvertisedRuntimes(context, nodes)) {
      JsonNode services =
          await(
              () ->
                  server
                      .find(
                          ResourceType.CONFIG_MAPS, new ObjectKey("kube-public", "berth-runtimes"))
                      .map(map -> map.at("/data/services"))
                      .orElse(YAML.missingNode()));
      return services.asText();
    }
  }

  private static JsonNode await(Supplier<JsonNode> value) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (value.get().isMissingNode() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    return value.get();
  }

  /// Whether `berth explain` says that the pod fits a node.
  boolean isExplainedToFit(ObjectNode node) {
    server.create(ResourceType.NODES, node);
    boolean fits =
        ClusterExplanations.read(client).pod(POD).orElseThrow().nodes().getFirst().fits();
    server.delete(ResourceType.NODES, new ObjectKey("", "n"), "Background");
    return fits;
  }

  /// Whether the registry looks for images that a service of the type runs.
  static boolean runsImages(String workloadType) throws Exception {
    return HandlerPlatforms.parse(node(workloadType, 0, 0)).targets().containsKey("h");
  }

  @Override
  public void close() {
    delays.close();
  }
}
