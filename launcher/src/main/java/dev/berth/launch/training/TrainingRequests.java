package dev.berth.launch.training;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectPatch;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The requests of a training run, like those of kubectl and other clients. Requests that the
/// training does not make are not in the cache and start slower.
final class TrainingRequests {
  private static final Logger log = LoggerFactory.getLogger(TrainingRequests.class);
  private static final int PODS_PER_ROUND = 10;

  /// Reads are more frequent than writes in a real cluster.
  private static final int GETS_PER_POD = 8;

  private static final int LISTS = 50;
  private static final String NAMESPACE = "default";
  private static final String JSON = "application/json";
  private static final String TABLE = JSON + ";as=Table;v=v1;g=meta.k8s.io," + JSON;
  private static final List<String> PATHS =
      List.of("/version", "/api", "/apis", "/api/v1", "/openapi/v3");

  private final ApiClient client;
  private boolean succeeded = true;

  TrainingRequests(ApiClient client) {
    this.client = client;
  }

  /// Returns whether all requests succeeded.
  boolean make(int pods) {
    PATHS.forEach(path -> attempt(() -> client.getJson(path, JSON)));
    ResourceClient<ObjectNode> configMaps = client.json(ResourceType.CONFIG_MAPS);
    for (int round = 0; round < pods / PODS_PER_ROUND; round++) {
      ObjectKey key = new ObjectKey(NAMESPACE, "training-" + round);
      attempt(() -> useOne(configMaps, key));
      attempt(() -> client.getJson("/api/v1/namespaces", TABLE));
    }
    attempt(() -> usePods(pods));
    return succeeded;
  }

  /// Creates, reads and lists pods: the requests that a server answers most.
  private void usePods(int count) {
    ResourceClient<ObjectNode> pods = client.json(ResourceType.PODS);
    ObjectNode account = object("ServiceAccount", new ObjectKey(NAMESPACE, "training"));
    client.json(ResourceType.SERVICE_ACCOUNTS).create(account);
    for (int i = 0; i < count; i++) {
      ObjectKey key = new ObjectKey(NAMESPACE, "training-" + i);
      pods.create(pod(key));
      for (int get = 0; get < GETS_PER_POD; get++) {
        pods.get(key);
      }
    }
    for (int i = 0; i < LISTS; i++) {
      pods.list(ListQuery.inNamespace(NAMESPACE));
    }
  }

  private static ObjectNode pod(ObjectKey key) {
    ObjectNode pod = object("Pod", key);
    ((ObjectNode) pod.get("metadata")).putObject("labels").put("app", "training");
    ObjectNode spec = pod.putObject("spec").put("serviceAccountName", "training");
    // No scheduler has this name, so the pods stay pending; the node has pods of its own.
    spec.put("schedulerName", "nobody");
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", "main").put("image", "registry.example/training:1");
    container.putArray("ports").addObject().put("containerPort", 8080).put("name", "http");
    container.putArray("env").addObject().put("name", "MODE").put("value", "training");
    ObjectNode resources = container.putObject("resources");
    resources.putObject("requests").put("cpu", "100m").put("memory", "128Mi");
    resources.putObject("limits").put("cpu", "1").put("memory", "256Mi");
    ObjectNode probe = container.putObject("readinessProbe").putObject("httpGet");
    probe.put("path", "/ready").put("port", 8080);
    return pod;
  }

  static ObjectNode object(String kind, ObjectKey key) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "v1").put("kind", kind);
    ObjectNode metadata = object.putObject("metadata").put("name", key.name());
    if (!key.namespace().isEmpty()) {
      metadata.put("namespace", key.namespace());
    }
    return object;
  }

  /// A request that fails makes the cache less complete, but does not prevent it.
  private void attempt(Runnable request) {
    try {
      request.run();
    } catch (ClientException e) {
      succeeded = false;
      log.warn("training continues after a failed request", e);
    }
  }

  private static void useOne(ResourceClient<ObjectNode> configMaps, ObjectKey key) {
    ObjectNode object = object("ConfigMap", key);
    object.putObject("data").put("a", "b");
    configMaps.create(object);
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("data").put("a", "c");
    configMaps.patch(key, ObjectPatch.strategic(patch));
    configMaps.update(configMaps.get(key));
    configMaps.list(ListQuery.inNamespace(key.namespace()));
    configMaps.delete(key, DeleteOptions.DEFAULT);
  }
}
