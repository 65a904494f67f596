package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.http.transport.EventOutput;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.resources.WatchSink;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.table.IncludeObject;
import dev.berth.server.table.PartialMetadata;
import dev.berth.server.table.TableBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;

/// Writes the events of a watch: one JSON object per line, or length-prefixed protobuf frames.
///
/// Stored bytes are sent without parsing when format and version allow it. One thread uses an
/// instance; the output decides about buffering and slow clients.
public final class WatchWriter implements WatchSink {
  private static final byte[] LINE_END = TypeHead.bytes("}\n");

  private final RequestTarget target;
  private final NegotiatedFormat wanted;
  private final IncludeObject include;
  private final ObjectViews views;
  private final BinaryFormat protobuf;
  private final EventOutput out;
  private final InstantSource clock;
  private final Runnable initialized;
  private final boolean plain;
  private final boolean partial;
  private boolean columnsSent;

  /// Encodes for one watch.
  ///
  /// @param initialized runs after the objects that existed at the start have been sent
  public WatchWriter(
      RequestTarget target,
      NegotiatedFormat wanted,
      IncludeObject include,
      ObjectViews views,
      BinaryFormat protobuf,
      EventOutput out,
      InstantSource clock,
      Runnable initialized) {
    this.target = target;
    this.wanted = wanted;
    this.include = include;
    this.views = views;
    this.protobuf = protobuf;
    this.out = out;
    this.clock = clock;
    this.initialized = initialized;
    boolean stored =
        wanted.format() != NegotiatedFormat.Format.PROTOBUF
            && target.version().conversion().sameShape();
    this.plain = stored && wanted.as() == NegotiatedFormat.As.OBJECT;
    this.partial = stored && wanted.as() == NegotiatedFormat.As.PARTIAL;
  }

  @Override
  public void event(Type type, StoredObject object, long revision) throws IOException {
    // A client resumes its watch from the resourceVersion of the last event, so a deletion must
    // carry its own revision.
    byte[] json = type == Type.DELETED ? object.jsonAt(revision) : object.json();
    if (plain) {
      out.write(head(type.name()));
      out.write(TypeHead.of(target.kind(), target.version()).object());
      out.write(json, 1, json.length - 1);
      endLine();
    } else if (partial) {
      out.write(head(type.name()));
      PartialBytes.write(out, json, wanted.version());
      endLine();
    } else {
      ObjectNode tree = views.served(target, (ObjectNode) JsonTrees.parseTrusted(json));
      frame(type.name(), shaped(tree));
    }
  }

  private static byte[] head(String type) {
    return TypeHead.bytes("{\"type\":\"" + type + "\",\"object\":");
  }

  /// Only the first table of a watch carries column definitions, as upstream has it.
  private ObjectNode shaped(ObjectNode tree) {
    return switch (wanted.as()) {
      case OBJECT -> tree;
      case TABLE -> {
        boolean first = !columnsSent;
        columnsSent = true;
        // Ages are computed at the time of the event: a watch may last hours.
        yield new TableBuilder(target.kind().columns(), include, wanted.version())
            .table(tree, clock.instant(), first);
      }
      case PARTIAL -> PartialMetadata.of(tree, wanted.version());
    };
  }

  private void frame(String type, ObjectNode object) throws IOException {
    if (wanted.format() == NegotiatedFormat.Format.PROTOBUF) {
      out.write(protobuf.watchFrame(type, object));
      out.endEvent();
    } else {
      out.write(head(type));
      out.write(JsonTrees.bytes(object));
      endLine();
    }
  }

  private void endLine() throws IOException {
    out.write(LINE_END);
    out.endEvent();
  }

  @Override
  public void bookmark(long revision, boolean initialEventsEnd) throws IOException {
    ObjectNode object = JsonTrees.object();
    object.put("kind", target.kind().names().kind());
    object.put("apiVersion", target.version().apiVersion());
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(revision)).putNull("creationTimestamp");
    if (initialEventsEnd) {
      metadata
          .putObject("annotations")
          .put("k8s.io/initial-events-end", "true")
          .put("kubernetes.io/initial-events-list-blueprint", blueprint());
    }
    frame("BOOKMARK", shaped(object));
  }

  /// An empty list of the kind gives protobuf clients the type of the events.
  private String blueprint() {
    String list =
        "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":{},\"items\":null}\n"
            .formatted(target.kind().names().kind(), target.version().apiVersion());
    return Base64.getEncoder().encodeToString(list.getBytes(StandardCharsets.UTF_8));
  }

  /// The client takes the status of the event as if it were the status of the answer.
  @Override
  public void error(ApiStatus status) throws IOException {
    frame("ERROR", status.toJson());
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void initialized() {
    initialized.run();
  }

  @Override
  public boolean isClosed() {
    return out.isClosed();
  }
}
