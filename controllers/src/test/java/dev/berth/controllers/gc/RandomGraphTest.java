package dev.berth.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.NoAnswerException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.controllers.Await;
import dev.berth.controllers.TestCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// From any graph of owners, whatever is deleted and whatever fails meanwhile: in the end every
/// object whose owners are all gone is gone, and nothing else.
final class RandomGraphTest {
  private static final List<ResourceType> TYPES =
      List.of(
          ResourceType.CONFIG_MAPS,
          ResourceType.PODS,
          ResourceType.REPLICA_SETS,
          ResourceType.RUNTIME_CLASSES);
  private static final List<String> POLICIES = List.of("Background", "Foreground");

  private record Item(ResourceType type, ObjectKey key) {}

  private final TestCluster cluster = new TestCluster();
  private final Map<Item, ObjectNode> made = new LinkedHashMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void convergesToWhatTheOwnersSay(long seed) {
    Random random = new Random(seed);
    cluster.server().createNamespace("team");
    makeGraph(random);
    Map<Item, String> deletions = chooseDeletions(random);
    Set<Item> expected = survivors(deletions.keySet());

    AtomicInteger writes = new AtomicInteger();
    cluster.server().onRequest(request -> failSometimes(request.method(), writes, seed));
    GarbageCollector collector = new GarbageCollector(cluster.context());
    try {
      int step = 0;
      for (var deletion : deletions.entrySet()) {
        deleteIfThere(deletion.getKey(), deletion.getValue());
        step++;
        if (step == deletions.size() / 2) {
          // In the middle of its work it is killed; what it knew is lost.
          collector.close();
          collector = new GarbageCollector(cluster.context());
        }
        if (random.nextInt(4) == 0) {
          cluster.server().cutWatches();
        }
        if (random.nextInt(10) == 0) {
          cluster.server().forgetHistory();
        }
      }
      Await.untilAsserted(() -> assertThat(present()).isEqualTo(names(expected)));
      GarbageCollector last = collector;
      Await.until(() -> last.stats().depth() == 0 && last.stats().running() == 0);
      assertThat(present()).isEqualTo(names(expected));
    } finally {
      collector.close();
      cluster.close();
    }
  }

  private static void failSometimes(String method, AtomicInteger writes, long seed) {
    if (!method.equals("GET") && (writes.incrementAndGet() + seed) % 7 == 0) {
      throw new NoAnswerException("made to fail", null);
    }
  }

  private void makeGraph(Random random) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      ResourceType type = TYPES.get(random.nextInt(TYPES.size()));
      String namespace = type.namespaced() ? List.of("default", "team").get(random.nextInt(2)) : "";
      ObjectNode object = TestCluster.object(namespace, "o" + i);
      for (int o = random.nextInt(4) - 1; o > 0 && !items.isEmpty(); o--) {
        addOwner(object, items.get(random.nextInt(items.size())), random);
      }
      Item item = new Item(type, new ObjectKey(namespace, "o" + i));
      made.put(item, cluster.server().create(type, object));
      items.add(item);
    }
  }

  private ObjectNode made(Item item) {
    return Objects.requireNonNull(made.get(item));
  }

  private void addOwner(ObjectNode object, Item owner, Random random) {
    ObjectNode live = made(owner);
    String uid = live.at("/metadata/uid").asText();
    for (JsonNode present : object.at("/metadata/ownerReferences")) {
      if (present.path("uid").asText().equals(uid)) {
        return;
      }
    }
    switch (random.nextInt(10)) {
      case 0 ->
          TestCluster.ownedBy(object, "v1", "Pod", "never", "never-" + random.nextInt(5), true);
      case 1 ->
          TestCluster.ownedBy(
              object,
              live.path("apiVersion").asText(),
              live.path("kind").asText(),
              "other-name",
              uid,
              true);
      default -> TestCluster.ownedBy(object, live, random.nextBoolean());
    }
  }

  private Map<Item, String> chooseDeletions(Random random) {
    Map<Item, String> deletions = new LinkedHashMap<>();
    List<Item> items = new ArrayList<>(made.keySet());
    for (int i = 0; i < 14; i++) {
      deletions.put(
          items.get(random.nextInt(items.size())), POLICIES.get(random.nextInt(POLICIES.size())));
    }
    return deletions;
  }

  /// The rule itself, on paper.
  private Set<Item> survivors(Set<Item> deleted) {
    Map<String, Item> byUid = new HashMap<>();
    made.forEach((item, object) -> byUid.put(object.at("/metadata/uid").asText(), item));
    Set<Item> alive = new HashSet<>(made.keySet());
    alive.removeAll(deleted);
    boolean changed = true;
    while (changed) {
      changed = alive.removeIf(item -> isCollected(item, alive, byUid));
    }
    return alive;
  }

  private boolean isCollected(Item item, Set<Item> alive, Map<String, Item> byUid) {
    JsonNode references = made(item).at("/metadata/ownerReferences");
    if (references.isEmpty()) {
      return false;
    }
    for (JsonNode reference : references) {
      Item owner = byUid.get(reference.path("uid").asText());
      boolean namespacedKind = !reference.path("kind").asText().equals("RuntimeClass");
      if (item.key().namespace().isEmpty() && namespacedKind) {
        return false;
      }
      boolean meant =
          owner != null
              && owner.key().name().equals(reference.path("name").asText())
              && (!owner.type().namespaced()
                  || owner.key().namespace().equals(item.key().namespace()));
      if (meant && alive.contains(owner)) {
        return false;
      }
    }
    return true;
  }

  private void deleteIfThere(Item item, String policy) {
    if (cluster.server().find(item.type(), item.key()).isPresent()) {
      try {
        cluster.server().delete(item.type(), item.key(), policy);
      } catch (RuntimeException _) {
        // The collector was faster.
      }
    }
  }

  private Set<String> present() {
    Set<String> names = new TreeSet<>();
    for (ResourceType type : TYPES) {
      for (ObjectNode object : cluster.server().list(type)) {
        names.add(
            type
                + " "
                + new ObjectKey(
                    object.at("/metadata/namespace").asText(),
                    object.at("/metadata/name").asText()));
      }
    }
    return names;
  }

  private static Set<String> names(Set<Item> items) {
    Set<String> names = new TreeSet<>();
    items.forEach(item -> names.add(item.type() + " " + item.key()));
    return names;
  }
}
