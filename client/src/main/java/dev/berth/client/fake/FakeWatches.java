package dev.berth.client.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The open watches of a [FakeApi], whose lock guards them.
final class FakeWatches {
  private final List<OpenWatch> watches = new ArrayList<>();

  private record OpenWatch(FakePath path, boolean metadataOnly, WatchStream stream) {}

  /// A stream of what comes after the revision that the path names, or of one error.
  WatchStream open(FakeState state, FakePath path, boolean metadataOnly) {
    WatchStream stream = new WatchStream();
    OpenWatch watch = new OpenWatch(path, metadataOnly, stream);
    long since = Long.parseLong(path.parameter("resourceVersion"));
    // Missed events are delivered before the watch is added; the lock keeps new ones away
    // meanwhile.
    Optional<List<FakeState.Event>> missed = state.eventsAfter(since);
    if (missed.isPresent()) {
      missed.get().forEach(event -> send(watch, event));
      watches.add(watch);
    } else {
      FakeRefusal expired =
          new FakeRefusal(410, "Expired", "", "too old resource version: " + since);
      stream.send(line("ERROR", expired.status()));
      stream.end();
    }
    return stream;
  }

  /// A watch whose client has closed it is forgotten here, so nothing piles up.
  void publish(FakeState.Event event) {
    watches.removeIf(watch -> watch.stream().isOver());
    watches.forEach(watch -> send(watch, event));
  }

  private static void send(OpenWatch watch, FakeState.Event event) {
    if (watch.path().type().equals(event.type())
        && FakeLists.matches(event.object(), watch.path())) {
      watch.stream().send(line(event.verb(), FakeLists.show(event.object(), watch.metadataOnly())));
    }
  }

  void bookmark(long revision) {
    ObjectNode mark = FakeApi.MAPPER.createObjectNode();
    mark.putObject("metadata").put("resourceVersion", Long.toString(revision));
    watches.forEach(watch -> watch.stream().send(line("BOOKMARK", mark)));
  }

  void cut(Predicate<ResourceType> which) {
    Predicate<OpenWatch> cut = watch -> which.test(watch.path().type());
    watches.stream().filter(cut).forEach(watch -> watch.stream().cut());
    watches.removeIf(cut);
  }

  /// How many are open.
  int open() {
    watches.removeIf(watch -> watch.stream().isOver());
    return watches.size();
  }

  private static byte[] line(String type, JsonNode object) {
    ObjectNode event = FakeApi.MAPPER.createObjectNode().put("type", type);
    event.set("object", object);
    return FakeApi.bytes(event);
  }
}
