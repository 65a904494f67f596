package dev.berth.client;

import static dev.berth.client.Fixtures.configMap;
import static dev.berth.client.Fixtures.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.fake.FakeApi;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InformerTest {
  private static final Backoff SHORT =
      new Backoff(Duration.ofMillis(1), Duration.ofMillis(20), new Random(1));

  private final FakeApi server = Fixtures.server();
  private final ApiClient client = new ApiClient(server);
  private final ResourceClient<ObjectNode> configMaps = client.json(ResourceType.CONFIG_MAPS);
  private final DelayedActions delays = DelayedActions.realTime();
  private final AtomicInteger lists = new AtomicInteger();

  @AfterEach
  void close() {
    delays.close();
  }

  private Informer<ObjectNode> inform() {
    server.onRequest(
        request -> {
          if (request.target().startsWith("/api/v1/configmaps") && !request.isStreaming()) {
            lists.incrementAndGet();
          }
        });
    return Informer.start(configMaps, ListQuery.ALL, delays, SHORT);
  }

  @Test
  void knowsWhatIsThereAndFollowsWhatHappens() {
    configMaps.create(configMap("old"));
    List<String> seen = new CopyOnWriteArrayList<>();
    try (Informer<ObjectNode> informer = inform()) {
      informer.addHandler(change -> seen.add(describe(change)));
      Await.until(informer::isSynced);

      ObjectNode made = configMaps.create(configMap("new"));
      configMaps.update(made.put("immutable", true));
      configMaps.delete(key("old"), DeleteOptions.DEFAULT);

      Await.untilAsserted(
          () ->
              assertThat(seen)
                  .containsExactly("Added old", "Added new", "Updated new", "Removed old"));
      assertThat(informer.get(key("old"))).isEmpty();
      assertThat(informer.list())
          .extracting(o -> o.path("immutable").asBoolean())
          .containsExactly(true);
    }
  }

  @Test
  void brokenWatchIsResumedWithoutANewList() {
    try (Informer<ObjectNode> informer = inform()) {
      Await.until(() -> server.openWatches() == 1);
      server.bookmark();
      server.cutWatches();
      configMaps.create(configMap("while-away"));

      Await.until(() -> informer.get(key("while-away")).isPresent());
      assertThat(lists).hasValue(1);
    }
  }

  @Test
  void expiredWatchIsReplacedByAListThatFindsWhatIsGone() {
    configMaps.create(configMap("gone"));
    configMaps.create(configMap("stays"));
    List<String> seen = new CopyOnWriteArrayList<>();
    try (Informer<ObjectNode> informer = inform()) {
      informer.addHandler(change -> seen.add(describe(change)));
      Await.until(() -> server.openWatches() == 1);
      try (var _ = server.mute(_ -> true)) {
        server.cutWatches();
        server.delete(ResourceType.CONFIG_MAPS, key("gone"), "Background");
        server.forgetHistory();
        assertThat(informer.get(key("gone"))).as("unknown is not empty").isPresent();
      }

      Await.untilAsserted(
          () -> assertThat(seen).containsExactly("Added gone", "Added stays", "Removed gone"));
      assertThat(informer.get(key("gone"))).isEmpty();
      assertThat(lists).hasValueGreaterThan(1);
    }
  }

  /// A server that was restarted has no history, and the pauses have become long meanwhile.
  @Test
  void aServerThatIsBackWithoutHistoryIsListedAtOnce() {
    List<Instant> watched = new CopyOnWriteArrayList<>();
    List<Instant> listed = new CopyOnWriteArrayList<>();
    server.onRequest(
        request -> (request.isStreaming() ? watched : listed).add(Clock.systemUTC().instant()));
    Backoff growing = new Backoff(Duration.ofMillis(1), Duration.ofHours(1), new Random(1));
    try (Informer<ObjectNode> informer =
        Informer.start(configMaps, ListQuery.ALL, delays, growing)) {
      Await.until(() -> server.openWatches() == 1);
      try (var _ = server.refuse(_ -> true, 503, "ServiceUnavailable")) {
        server.cutWatches();
        // The last pause is then two seconds, and the next one four.
        Await.until(() -> watched.size() > 12);
        server.create(ResourceType.CONFIG_MAPS, configMap("new"));
        server.forgetHistory();
      }

      Await.until(() -> informer.get(key("new")).isPresent() && server.openWatches() == 1);
      assertThat(Duration.between(watched.get(watched.size() - 2), listed.getLast()))
          .isLessThan(Duration.ofSeconds(3));
    }
  }

  @Test
  void lateHandlerSeesEverythingThatIsKnown() {
    configMaps.create(configMap("a"));
    try (Informer<ObjectNode> informer = inform()) {
      Await.until(informer::isSynced);
      List<String> seen = new CopyOnWriteArrayList<>();

      informer.addHandler(change -> seen.add(describe(change)));

      assertThat(seen).containsExactly("Added a");
    }
  }

  @Test
  void indexFollowsChanges() {
    Map<String, Function<ObjectNode, Collection<String>>> indexers =
        Map.of("color", object -> Set.of(object.path("data").path("color").asText()));
    ObjectNode made = configMap("a");
    made.putObject("data").put("color", "red");
    ObjectNode created = configMaps.create(made);
    try (Informer<ObjectNode> informer =
        Informer.startIndexed(configMaps, ListQuery.ALL, indexers, delays, SHORT)) {
      Await.until(() -> informer.byIndex("color", "red").size() == 1);

      created.putObject("data").put("color", "blue");
      configMaps.update(created);

      Await.until(() -> informer.byIndex("color", "blue").size() == 1);
      assertThat(informer.byIndex("color", "red")).isEmpty();
    }
  }

  @Test
  void failingServerIsAskedAgainUntilItAnswers() {
    var refusing =
        server.refuse(request -> request.method().equals("GET"), 503, "ServiceUnavailable");
    AtomicInteger attempts = new AtomicInteger();
    server.onRequest(_ -> attempts.incrementAndGet());
    try (Informer<ObjectNode> informer = inform()) {
      Await.until(() -> attempts.get() > 3);
      assertThat(informer.isSynced()).isFalse();

      refusing.close();

      Await.until(informer::isSynced);
    }
  }

  @Test
  void closingEndsTheWatch() {
    Informer<ObjectNode> informer = inform();
    Await.until(() -> server.openWatches() == 1);

    informer.close();

    assertThat(server.openWatches()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void convergesUnderRandomWritesAndFaults(long seed) {
    Random random = new Random(seed);
    Map<String, String> mirror = new ConcurrentHashMap<>();
    try (Informer<ObjectNode> informer = inform()) {
      informer.addHandler(
          change -> {
            String name = change.latest().at("/metadata/name").asText();
            switch (change) {
              case InformerEvent.Added<ObjectNode>(var now) -> mirror.put(name, version(now));
              case InformerEvent.Updated<ObjectNode>(_, var now) -> mirror.put(name, version(now));
              case InformerEvent.Removed<ObjectNode> _ -> mirror.remove(name);
            }
          });
      for (int step = 0; step < 400; step++) {
        perturb(random);
      }
      Await.untilAsserted(
          () -> assertThat(mirror).isEqualTo(versions(server.list(ResourceType.CONFIG_MAPS))));
      assertThat(versions(informer.list())).isEqualTo(mirror);
    }
  }

  private void perturb(Random random) {
    String name = "c" + random.nextInt(20);
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        if (server.find(ResourceType.CONFIG_MAPS, key(name)).isEmpty()) {
          configMaps.create(configMap(name));
        }
      }
      case 2, 3, 4 ->
          server
              .find(ResourceType.CONFIG_MAPS, key(name))
              .ifPresent(found -> configMaps.update(found.put("step", random.nextInt())));
      case 5 -> {
        if (server.find(ResourceType.CONFIG_MAPS, key(name)).isPresent()) {
          configMaps.delete(key(name), DeleteOptions.DEFAULT);
        }
      }
      case 6 -> server.cutWatches();
      default -> {
        if (random.nextInt(5) == 0) {
          server.forgetHistory();
        }
        server.bookmark();
      }
    }
  }

  private static Map<String, String> versions(List<ObjectNode> objects) {
    return objects.stream()
        .collect(Collectors.toMap(o -> o.at("/metadata/name").asText(), InformerTest::version));
  }

  private static String version(ObjectNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }

  private static String describe(InformerEvent<ObjectNode> change) {
    return change.getClass().getSimpleName() + " " + change.latest().at("/metadata/name").asText();
  }
}
