package dev.berth.agent.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.registry.placement.CandidateClass;
import dev.berth.registry.placement.ImageRemedy;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.registry.placement.PlatformOffers;
import dev.berth.registry.platforms.PlatformMismatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Names the RuntimeClasses and nodes of the cluster that could run an image, in the words of
/// admission and scheduler.
///
/// A node may not read other nodes. The control plane publishes what they run; under a control
/// plane that does not, only this node and its classes are named.
public final class ClusterAdvice implements MismatchAdvice {
  /// Written by the controllers.
  private static final ObjectKey PUBLISHED = new ObjectKey("kube-public", "berth-runtimes");

  private static final String KEY = "platforms";

  /// A pod that waits for its image asks again and again.
  private static final Duration LIFETIME = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(ClusterAdvice.class);
  private static final JsonMapper JSON = new JsonMapper();

  private final ApiClient client;
  private final ObjectKey node;
  private final InstantSource clock;

  private final ReentrantLock lock = new ReentrantLock();

  /// What the cluster runs, and until when that counts; guarded by the lock.
  private @Nullable PlatformOffers known;

  private Instant end = Instant.MIN;

  public ClusterAdvice(ApiClient client, String node, InstantSource clock) {
    this.client = client;
    this.node = ObjectKey.clusterScoped(node);
    this.clock = clock;
  }

  @Override
  public String describe(PlatformMismatch mismatch) {
    PlatformOffers offers = offers();
    return offers == null
        ? mismatch.advice()
        : mismatch.message(new ImageRemedy(mismatch.platforms()).ofAll(offers));
  }

  /// Null when the API server does not say. One pod asks for all that wait.
  private @Nullable PlatformOffers offers() {
    lock.lock();
    try {
      if (clock.instant().isAfter(end)) {
        known = read();
        end = clock.instant().plus(LIFETIME);
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable PlatformOffers read() {
    try {
      Optional<PlatformOffers> published = published();
      return published.isPresent() ? published.get() : own();
    } catch (ClientException e) {
      log.info("platforms of the cluster not read node={} reason={}", node.name(), e.getMessage());
      return null;
    }
  }

  /// Empty where nothing is published, or where nodes may not read it.
  private Optional<PlatformOffers> published() {
    try {
      return client
          .json(ResourceType.CONFIG_MAPS)
          .find(PUBLISHED)
          .map(found -> found.path("data").path(KEY).asText(""))
          .filter(text -> !text.isEmpty())
          .map(ClusterAdvice::tree)
          .map(PlatformOffers::parse);
    } catch (ClientException e) {
      log.debug("platforms not read configMap={} reason={}", PUBLISHED, e.getMessage());
      return Optional.empty();
    }
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException _) {
      return JSON.createArrayNode();
    }
  }

  private @Nullable PlatformOffers own() {
    Optional<ObjectNode> found = client.json(ResourceType.NODES).find(node);
    if (found.isEmpty()) {
      return null;
    }
    List<CandidateClass> classes =
        client.json(ResourceType.RUNTIME_CLASSES).list(ListQuery.ALL).stream()
            .map(CandidateClass::parse)
            .toList();
    return PlatformOffers.of(List.of(NodePlatforms.parse(found.get())), classes);
  }
}
