package dev.berth.scheduler;

import static dev.berth.scheduler.model.TestObjects.json;
import static dev.berth.scheduler.model.TestObjects.nodeTree;
import static dev.berth.scheduler.model.TestObjects.podTree;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientConfig;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceType;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerConfig;
import dev.berth.server.pki.ClientIdentity;
import dev.berth.server.pki.KeyAndCertificate;
import dev.berth.store.StoreLimits;
import dev.berth.store.embedded.EmbeddedStore;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;

/// An API server with a namespace whose pods are steered by their images, and a scheduler.
final class SteeredCluster implements AutoCloseable {
  private static final String NAMESPACE = "steered";

  private final ApiServer server;
  private final ApiClient admin;
  private final ApiClient own;
  private final AutoCloseable scheduler;

  SteeredCluster(Path directory, List<String> classes) throws Exception {
    Clock clock = Clock.systemUTC();
    server =
        ApiServer.start(
            ServerConfig.of(directory, InetAddress.getLoopbackAddress(), 0),
            codec -> EmbeddedStore.inMemory(codec, StoreLimits.DEFAULT, clock),
            clock);
    admin = ApiClient.open(ClientConfig.fromKubeconfig(server.kubeconfig()));
    KeyAndCertificate credential = server.credential(ClientIdentity.SCHEDULER);
    own =
        ApiClient.open(
            ClientConfig.of(
                URI.create(server.url()),
                server.authorityPem(),
                credential.certificatePem(),
                credential.keyPem()));
    admin
        .json(ResourceType.NAMESPACES)
        .create(
            json(
                "{'metadata':{'name':'%s','labels':{'images.berth.dev/steering':'select'}}}"
                    .formatted(NAMESPACE)));
    admin
        .json(ResourceType.SERVICE_ACCOUNTS)
        .create(json("{'metadata':{'namespace':'%s','name':'default'}}".formatted(NAMESPACE)));
    for (String name : classes) {
      admin
          .json(ResourceType.RUNTIME_CLASSES)
          .create(json("{'metadata':{'name':'%s'},'handler':'%s'}".formatted(name, name)));
    }
    scheduler =
        RunningScheduler.startElected(
            own,
            "test",
            SchedulerProfile.DEFAULT,
            new SchedulerMetrics(new PrometheusRegistry(), clock),
            clock,
            new Random(1));
  }

  /// A node that is ready, with one runtime service.
  ///
  /// @param platform such as `windows/amd64 10.0.17763`
  /// @param service fields of the service as JSON with single quotes
  void node(String name, String platform, String service) {
    String[] words = platform.split("[/ ]", 3);
    ObjectNode node = nodeTree(name, "'status':{'allocatable':{'pods':'10000'}}");
    ObjectNode labels = node.withObject("/metadata/labels");
    labels.put("kubernetes.io/os", words[0]).put("kubernetes.io/arch", words[1]);
    if (words.length == 3) {
      labels.put("node.kubernetes.io/windows-build", words[2]);
    }
    node.withObject("/metadata/annotations")
        .put(
            "berth.dev/runtime-services",
            json("{'main':{'workloadType':'container','default':true," + service + "}}")
                .toString());
    ObjectKey key = ObjectKey.clusterScoped(name);
    ObjectNode status = json("{}");
    status.set("status", node.get("status"));
    admin.json(ResourceType.NODES).create(node);
    admin.json(ResourceType.NODES).patch(key, ObjectPatch.merge(status), "status");
    patchNode(name, "{'spec':{'taints':null}}");
  }

  void patchNode(String name, String merged) {
    admin
        .json(ResourceType.NODES)
        .patch(ObjectKey.clusterScoped(name), ObjectPatch.merge(json(merged)));
  }

  /// Creates a pod, or throws what admission says.
  ObjectNode pod(String name, String image, String spec) {
    ObjectNode pod = podTree(name, spec);
    pod.withObject("/metadata").put("namespace", NAMESPACE).remove("uid");
    ((ObjectNode) pod.at("/spec/containers/0")).put("image", image);
    return admin.json(ResourceType.PODS).create(pod);
  }

  /// Lets the scheduler see a pod that was created with scheduling gates.
  void openGates(String name) {
    admin
        .json(ResourceType.PODS)
        .patch(
            new ObjectKey(NAMESPACE, name),
            ObjectPatch.merge(json("{'spec':{'schedulingGates':null}}")));
  }

  /// False when the pod was bound in between, or changed otherwise.
  boolean changeImage(String name, String image) {
    ObjectNode pod = pod(name);
    ((ObjectNode) pod.at("/spec/containers/0")).put("image", image);
    try {
      admin.json(ResourceType.PODS).update(pod);
      return true;
    } catch (ApiException e) {
      if (e.isConflict()) {
        return false;
      }
      throw e;
    }
  }

  ObjectNode pod(String name) {
    return admin.json(ResourceType.PODS).get(new ObjectKey(NAMESPACE, name));
  }

  List<ObjectNode> pods() {
    return admin.json(ResourceType.PODS).list(ListQuery.inNamespace(NAMESPACE));
  }

  /// Those without a node.
  List<ObjectNode> waiting() {
    return admin
        .json(ResourceType.PODS)
        .list(ListQuery.inNamespace(NAMESPACE).withFieldSelector("spec.nodeName="));
  }

  String nodeOf(String pod) {
    return pod(pod).at("/spec/nodeName").asText();
  }

  /// Why a pod waits.
  String condition(String pod) {
    for (var condition : pod(pod).at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")) {
        return condition.path("message").asText();
      }
    }
    return "";
  }

  @Override
  public void close() throws IOException {
    try {
      scheduler.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("the scheduler does not end", e);
    } finally {
      own.close();
      admin.close();
      server.close();
    }
  }
}
