package dev.berth.agent.pods.staticpods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.references.PodJson;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates and deletes mirror pods in the API. Confined to one thread.
public final class MirrorPods {
  private static final Logger log = LoggerFactory.getLogger(MirrorPods.class);

  private final ResourceClient<ObjectNode> pods;
  private final ResourceClient<ObjectNode> nodes;

  /// The last error of each pod, so that it is logged once.
  private final Map<ObjectKey, String> lastProblems = new HashMap<>();

  public MirrorPods(ApiClient client) {
    this.pods = client.json(ResourceType.PODS);
    this.nodes = client.json(ResourceType.NODES);
  }

  /// Creates a mirror pod. A server lets a node create only objects of its own, so the node has to
  /// be registered first.
  ///
  /// @return whether the mirror pod exists
  boolean create(Pod pod) {
    return attempt("created", pod, () -> belongsToNode(pod).map(pods::create).isPresent());
  }

  private Optional<ObjectNode> belongsToNode(Pod pod) {
    return nodes
        .find(new ObjectKey("", pod.getSpec().getNodeName()))
        .map(node -> node.path("metadata").path("uid").asText())
        .map(uid -> PodJson.tree(StaticPod.mirror(pod, uid)));
  }

  void delete(Pod pod) {
    attempt(
        "deleted",
        pod,
        () -> {
          pods.delete(PodJson.key(pod), DeleteOptions.DEFAULT.withGracePeriod(0));
          return true;
        });
  }

  private boolean attempt(String what, Pod pod, BooleanSupplier writing) {
    try {
      boolean done = writing.getAsBoolean();
      if (done && lastProblems.remove(PodJson.key(pod)) != null) {
        log.info("mirror pod {} pod={}", what, PodJson.key(pod));
      }
      return done;
    } catch (ApiException e) {
      String containerWaiting = String.valueOf(e.getMessage());
      if (!e.isNotFound()
          && !e.isAlreadyExists()
          && !containerWaiting.equals(lastProblems.put(PodJson.key(pod), containerWaiting))) {
        log.warn(
            "mirror pod not {}, retrying pod={} reason={}",
            what,
            PodJson.key(pod),
            containerWaiting);
      }
    } catch (ClientException e) {
      log.debug("mirror pod not {} pod={} reason={}", what, PodJson.key(pod), e.getMessage());
    }
    return false;
  }
}
