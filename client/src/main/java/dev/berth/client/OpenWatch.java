package dev.berth.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;

/// The events of an open watch, read one by one by a single thread; any thread may close it.
///
/// Events are parsed directly from the connection, so nothing is buffered here: a slow reader slows
/// the server, which may end the watch.
public final class OpenWatch<T> implements AutoCloseable {
  private final ApiResponse response;
  private final ObjectCodec<T> codec;
  private final JsonParser parser;
  private volatile boolean closed;

  OpenWatch(ApiResponse response, ObjectCodec<T> codec) {
    this.response = response;
    this.codec = codec;
    try {
      this.parser = ClientJson.MAPPER.createParser(response.body());
    } catch (IOException e) {
      response.close();
      throw new NoAnswerException("the watch connection broke: " + e.getMessage(), e);
    }
  }

  /// Waits for the next event; empty when the watch has ended normally or was closed.
  ///
  /// @throws ApiException when the server ends the watch with an error, such as an expired revision
  /// @throws NoAnswerException when the connection broke
  public Optional<WatchEvent<T>> next() {
    try {
      return parser.nextToken() == null ? Optional.empty() : Optional.of(readEvent());
    } catch (IOException e) {
      // Closing the body makes the blocked read fail, which is no failure of the watch then.
      if (closed) {
        return Optional.empty();
      }
      throw new NoAnswerException("the watch connection broke: " + e.getMessage(), e);
    }
  }

  private WatchEvent<T> readEvent() throws IOException {
    String type = "";
    JsonNode early = null;
    WatchEvent<T> event = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      if (field.equals("type")) {
        type = parser.getValueAsString("");
      } else if (!field.equals("object")) {
        parser.skipChildren();
      } else if (type.isEmpty()) {
        // Every known server sends the type first; JSON does not promise an order.
        early = ClientJson.MAPPER.readTree(parser);
      } else {
        event = readObject(type, parser);
      }
    }
    if (early != null) {
      try (JsonParser buffered = ClientJson.MAPPER.treeAsTokens(early)) {
        buffered.nextToken();
        event = readObject(type, buffered);
      }
    }
    if (event == null) {
      throw new IOException("a watch event without an object");
    }
    return event;
  }

  private WatchEvent<T> readObject(String type, JsonParser at) throws IOException {
    return switch (type) {
      case "ADDED" -> new WatchEvent.Added<>(codec.read(at));
      case "MODIFIED" -> new WatchEvent.Modified<>(codec.read(at));
      case "DELETED" -> new WatchEvent.Deleted<>(codec.read(at));
      case "BOOKMARK" ->
          new WatchEvent.Bookmark<>(ObjectCodec.metadata().read(at).resourceVersion());
      case "ERROR" -> throw ApiException.ofStatus(500, ClientJson.MAPPER.readTree(at));
      default -> throw new IOException("a watch event of the unknown type " + type);
    };
  }

  /// A thread that waits in `next` returns.
  @Override
  public void close() {
    closed = true;
    response.close();
  }
}
