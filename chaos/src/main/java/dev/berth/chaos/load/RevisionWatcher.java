package dev.berth.chaos.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.history.WatchHistory;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Lists once and watches from there. After each disconnection it watches again from the last
/// revision.
final class RevisionWatcher extends LoadWorker {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(200);
  private static final String BOOKMARK = "BOOKMARK";

  /// The timeout of a watch. It is short, because a dead connection can go unnoticed until then.
  private static final int WATCH_SECONDS = 20;

  private final ApiCaller api;
  private final WatchHistory history;
  private final RunLog log;
  private boolean mustList = true;
  private long resumeFrom;
  private volatile @Nullable InputStream open;

  RevisionWatcher(String name, ApiCaller api, WatchHistory history, RunLog log) {
    super(name);
    this.api = api;
    this.history = history;
    this.log = log;
  }

  WatchHistory history() {
    return history;
  }

  @Override
  void round() {
    if (mustList && !list()) {
      pause(AFTER_FAILURE);
      return;
    }
    String path =
        ConfigMaps.COLLECTION
            + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%d"
                .formatted(WATCH_SECONDS, resumeFrom);
    // A dead connection may go unnoticed; this thread then closes the watch.
    Thread guard = Thread.ofVirtual().start(this::breakOffLate);
    try (InputStream body = api.stream(path);
        JsonParser parser = ApiCaller.MAPPER.createParser(body)) {
      open = body;
      log.count("watches opened");
      while (!isEnded() && parser.nextToken() != null) {
        if (!take(ApiCaller.MAPPER.readTree(parser))) {
          return;
        }
      }
    } catch (IOException _) {
      pause(AFTER_FAILURE);
    } finally {
      open = null;
      guard.interrupt();
    }
  }

  private boolean list() {
    ApiAnswer answer = api.get(ConfigMaps.COLLECTION);
    if (!answer.isSuccess()) {
      return false;
    }
    history.listed(answer.revision(), ConfigMaps.values(answer.body()));
    resumeFrom = answer.revision();
    mustList = false;
    log.count("lists of watchers");
    return true;
  }

  /// Records an event; returns false when the watch must be opened again.
  private boolean take(JsonNode event) {
    String type = event.path("type").asText();
    JsonNode object = event.path("object");
    if (type.equals("ERROR")) {
      if (object.path("code").asInt() == 410) {
        mustList = true;
        log.count("watches that were too old (410)");
      }
      return false;
    }
    long revision = ConfigMaps.revision(object);
    if (type.equals(BOOKMARK)) {
      resumeFrom = Math.max(resumeFrom, revision);
      return true;
    }
    history.event(type, revision, ConfigMaps.name(object), ConfigMaps.value(object));
    resumeFrom = revision;
    log.count("watch events");
    return true;
  }

  /// Closes a watch that has not ended by itself some time after its timeout.
  private void breakOffLate() {
    try {
      Thread.sleep(Duration.ofSeconds(WATCH_SECONDS + 10));
      breakOff();
    } catch (InterruptedException _) {
      // The watch has ended in time.
    }
  }

  @Override
  void breakOff() {
    InputStream body = open;
    if (body != null) {
      try {
        body.close();
      } catch (IOException _) {
        // The stream is closed in any case.
      }
    }
  }
}
