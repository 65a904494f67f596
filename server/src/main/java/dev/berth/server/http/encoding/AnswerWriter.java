package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.http.transport.FastGzip;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.json.YamlTrees;
import dev.berth.server.resources.VerbAnswer;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.table.KindColumns;
import dev.berth.server.table.PartialMetadata;
import dev.berth.server.table.TableBuilder;
import dev.berth.server.table.TablePrinters;
import dev.berth.store.StoreEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpHeader;

/// Sends answers in the negotiated format; stored JSON is sent as the bytes that are in memory.
///
/// The fast way is JSON in the stored version: the bytes in memory are sent with a constant head in
/// front, and no tree is made. Tables, metadata, other versions, YAML and protobuf need the tree.
/// One instance serves all requests.
public final class AnswerWriter {
  /// Above this size an object is sent in two parts instead of being copied, which matters most for
  /// slow clients.
  private static final int LONG = 32 << 10;

  private final BinaryFormat protobuf;
  private final ObjectViews views;
  private final ListWriter lists;

  public AnswerWriter(BinaryFormat protobuf, ObjectViews views) {
    this.protobuf = protobuf;
    this.views = views;
    this.lists = new ListWriter(views, protobuf);
  }

  public void write(
      ServerExchange exchange, RequestTarget target, NegotiatedFormat wanted, VerbAnswer answer)
      throws IOException {
    switch (answer) {
      case VerbAnswer.Stored(int code, StoreEntry<StoredObject> entry) -> {
        if (isPlain(target, wanted)) {
          sendStored(exchange, target, code, entry.value().json());
        } else {
          sendObject(exchange, target, wanted, code, views.served(target, entry.value()));
        }
      }
      case VerbAnswer.Tree(int code, ObjectNode object) ->
          sendObject(exchange, target, wanted, code, views.served(target, object));
      case VerbAnswer.Other(int code, ObjectNode object) ->
          sendObject(exchange, target, wanted, code, object);
      case VerbAnswer.Done(int code, ApiStatus status) ->
          sendStatus(exchange, wanted, code, status);
      case VerbAnswer.Listing listing -> lists.write(exchange, target, wanted, listing);
    }
  }

  public void writeOther(
      ServerExchange exchange, NegotiatedFormat wanted, int code, ObjectNode object)
      throws IOException {
    sendTree(exchange, wanted, code, object);
  }

  public BinaryFormat binary() {
    return protobuf;
  }

  public void writeStatus(ServerExchange exchange, NegotiatedFormat wanted, ApiStatus status)
      throws IOException {
    if (status.details().retryAfterSeconds() > 0) {
      exchange
          .response()
          .getHeaders()
          .put(HttpHeader.RETRY_AFTER, status.details().retryAfterSeconds());
    }
    sendStatus(exchange, wanted, status.code(), status);
  }

  /// A version whose conversion keeps the shape differs only in `apiVersion`, which is in the
  /// constant head.
  private static boolean isPlain(RequestTarget target, NegotiatedFormat wanted) {
    return wanted.isPlainJson() && target.version().conversion().sameShape();
  }

  /// The head replaces the opening brace of the stored JSON, so no byte of the object is parsed or
  /// escaped again.
  private static void sendStored(
      ServerExchange exchange, RequestTarget target, int code, byte[] json) throws IOException {
    byte[] head = TypeHead.of(target.kind(), target.version()).object();
    if (exchange.audit().wantsResponse()) {
      exchange
          .audit()
          .responseObject(
              JsonTrees.parseTrusted(
                  ByteChunks.join(head, Arrays.copyOfRange(json, 1, json.length))));
    }
    if (json.length >= LONG && !exchange.acceptsGzip() && !IndentedJson.isWanted(exchange)) {
      exchange.send(
          code,
          NegotiatedFormat.Format.JSON.mediaType(),
          ByteBuffer.wrap(head),
          ByteBuffer.wrap(json, 1, json.length - 1));
      return;
    }
    byte[] body = new byte[head.length + json.length - 1];
    System.arraycopy(head, 0, body, 0, head.length);
    System.arraycopy(json, 1, body, head.length, json.length - 1);
    send(exchange, NegotiatedFormat.Format.JSON, code, body);
  }

  private void sendObject(
      ServerExchange exchange,
      RequestTarget target,
      NegotiatedFormat wanted,
      int code,
      ObjectNode object)
      throws IOException {
    switch (wanted.as()) {
      case OBJECT -> sendTree(exchange, wanted, code, object);
      case TABLE ->
          sendTree(
              exchange,
              wanted,
              code,
              new TableBuilder(
                      columns(target, object), ObjectViews.include(exchange), wanted.version())
                  .table(object, target.now(), true));
      case PARTIAL ->
          sendTree(exchange, wanted, code, PartialMetadata.of(object, wanted.version()));
    }
  }

  /// Columns of the target's kind, unless the object is of another kind, such as Scale.
  private static KindColumns columns(RequestTarget target, ObjectNode object) {
    String kind = object.path("kind").asText();
    if (kind.equals(target.kind().names().kind())) {
      return target.kind().columns();
    }
    String version = object.path("apiVersion").asText();
    String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    return TablePrinters.forKind(group, kind);
  }

  static TableBuilder tables(
      ServerExchange exchange, RequestTarget target, NegotiatedFormat wanted) {
    return new TableBuilder(
        target.kind().columns(), ObjectViews.include(exchange), wanted.version());
  }

  private void sendTree(ServerExchange exchange, NegotiatedFormat wanted, int code, ObjectNode tree)
      throws IOException {
    exchange.audit().responseObject(tree);
    send(exchange, wanted.format(), code, encoded(wanted, tree));
  }

  private void sendStatus(
      ServerExchange exchange, NegotiatedFormat wanted, int code, ApiStatus status)
      throws IOException {
    ObjectNode tree = status.toJson();
    exchange.audit().status(tree);
    send(exchange, wanted.format(), code, encoded(wanted, tree));
  }

  private byte[] encoded(NegotiatedFormat wanted, ObjectNode tree) {
    return switch (wanted.format()) {
      case JSON -> JsonTrees.bytes(tree);
      case YAML -> YamlTrees.bytes(tree);
      case PROTOBUF -> protobuf.encode(tree);
    };
  }

  private static void send(
      ServerExchange exchange, NegotiatedFormat.Format format, int code, byte[] answer)
      throws IOException {
    byte[] body =
        format == NegotiatedFormat.Format.JSON ? IndentedJson.asWanted(exchange, answer) : answer;
    // Compression of short answers costs more than it saves.
    boolean gzip = body.length >= FastGzip.WORTH_IT && exchange.acceptsGzip();
    if (gzip) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    }
    exchange.send(code, format.mediaType(), gzip ? gzip(body) : body);
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
    try (OutputStream zip = new FastGzip(out)) {
      zip.write(body);
    }
    return out.toByteArray();
  }
}
