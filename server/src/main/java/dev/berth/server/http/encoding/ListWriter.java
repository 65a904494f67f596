package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.http.transport.ChunkedOutput;
import dev.berth.server.http.transport.FastGzip;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.resources.VerbAnswer;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.table.TableBuilder;
import dev.berth.store.StoreEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;

/// Writes lists item by item: a long list is never in memory as a whole, neither as trees nor as
/// bytes.
///
/// An answer with a known length gets a Content-Length, so that the client can distinguish a broken
/// connection from the end. The length of converted items is unknown in advance; such lists are
/// sent in chunks.
final class ListWriter {
  private static final byte[] ITEMS = TypeHead.bytes(",\"items\":[");
  private static final byte[] COMMA = TypeHead.bytes(",");
  private static final byte[] END = TypeHead.bytes("]}");

  /// Estimated bytes of an item; decides only whether compression is worthwhile.
  private static final int SHAPED_ITEM_BYTES = 512;

  private final ObjectViews views;
  private final BinaryFormat protobuf;

  ListWriter(ObjectViews views, BinaryFormat protobuf) {
    this.views = views;
    this.protobuf = protobuf;
  }

  void write(
      ServerExchange exchange,
      RequestTarget target,
      NegotiatedFormat wanted,
      VerbAnswer.Listing listing)
      throws IOException {
    if (exchange.audit().wantsResponse()) {
      record(exchange, jsonShape(exchange, target, wanted, listing), listing);
    }
    switch (wanted.format()) {
      case JSON -> json(exchange, target, wanted, listing);
      case YAML -> {
        ListShape shape = yaml(exchange, target, wanted, listing);
        send(exchange, shape, listing.items(), guess(listing), false);
      }
      case PROTOBUF -> {
        boolean partial = wanted.as() == NegotiatedFormat.As.PARTIAL;
        ProtobufList list =
            new ProtobufList(
                partial
                    ? protobuf.list("meta.k8s.io/" + wanted.version(), "PartialObjectMetadata")
                    : protobuf.list(target.version().apiVersion(), target.kind().names().kind()),
                listing.items(),
                partial
                    ? object -> views.partial(target, object, wanted.version())
                    : untyped(target));
        ListShape shape = list.shape(views.listMetadata(listing));
        send(exchange, shape, listing.items(), list.length(shape), true);
      }
    }
  }

  private static long guess(VerbAnswer.Listing listing) {
    return (long) listing.items().size() * SHAPED_ITEM_BYTES;
  }

  /// Items of a list carry neither apiVersion nor kind.
  private Function<StoredObject, ObjectNode> untyped(RequestTarget target) {
    return object -> {
      ObjectNode item = views.served(target, object);
      item.remove(List.of("kind", "apiVersion"));
      return item;
    };
  }

  private ListShape yaml(
      ServerExchange exchange,
      RequestTarget target,
      NegotiatedFormat wanted,
      VerbAnswer.Listing listing) {
    ObjectNode metadata = views.listMetadata(listing);
    String metaVersion = "meta.k8s.io/" + wanted.version();
    boolean isEmpty = listing.items().isEmpty();
    return switch (wanted.as()) {
      case OBJECT -> {
        Function<StoredObject, ObjectNode> view = untyped(target);
        yield YamlLists.shape(
            YamlLists.list(
                target.kind().names().kind() + "List", target.version().apiVersion(), metadata),
            isEmpty,
            (out, object) -> out.write(YamlLists.item(view.apply(object))));
      }
      case TABLE -> {
        TableBuilder table = AnswerWriter.tables(exchange, target, wanted);
        yield YamlLists.shape(
            YamlLists.table(metaVersion, metadata, table.columnDefinitions()),
            isEmpty,
            (out, object) ->
                out.write(YamlLists.item(table.row(views.served(target, object), target.now()))));
      }
      case PARTIAL ->
          YamlLists.shape(
              YamlLists.list("PartialObjectMetadataList", metaVersion, metadata),
              isEmpty,
              (out, object) ->
                  out.write(YamlLists.item(views.partial(target, object, wanted.version()))));
    };
  }

  private void json(
      ServerExchange exchange,
      RequestTarget target,
      NegotiatedFormat wanted,
      VerbAnswer.Listing listing)
      throws IOException {
    boolean stored = target.version().conversion().sameShape();
    byte[] metadata = JsonTrees.bytes(views.listMetadata(listing));
    if (stored && wanted.as() == NegotiatedFormat.As.OBJECT) {
      ListShape shape = asStored(target, metadata);
      send(exchange, shape, listing.items(), lengthAsStored(shape, listing.items()), true);
      return;
    }
    ListShape shape = jsonShape(exchange, target, wanted, listing);
    send(exchange, shape, listing.items(), guess(listing), false);
  }

  private ListShape jsonShape(
      ServerExchange exchange,
      RequestTarget target,
      NegotiatedFormat wanted,
      VerbAnswer.Listing listing) {
    boolean stored = target.version().conversion().sameShape();
    byte[] metadata = JsonTrees.bytes(views.listMetadata(listing));
    return switch (wanted.as()) {
      case OBJECT -> stored ? asStored(target, metadata) : converted(target, metadata);
      case TABLE -> rows(exchange, target, wanted, metadata);
      case PARTIAL -> partial(target, wanted, metadata, stored);
    };
  }

  /// Audit events contain the list as JSON, independent of the format that is sent.
  ///
  /// The policy asked for whole responses, so the list is in memory as a whole here.
  private static void record(ServerExchange exchange, ListShape shape, VerbAnswer.Listing listing)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writeTo(bytes, shape, listing.items());
    exchange.audit().responseObject(JsonTrees.parseTrusted(bytes.toByteArray()));
  }

  private static ListShape shape(byte[] head, ListShape.Item item) {
    return new ListShape(NegotiatedFormat.Format.JSON, head, item, COMMA, END);
  }

  private static ListShape asStored(RequestTarget target, byte[] metadata) {
    byte[] kind = TypeHead.of(target.kind(), target.version()).list();
    return shape(ByteChunks.join(kind, metadata, ITEMS), (out, object) -> out.write(object.json()));
  }

  private static long lengthAsStored(ListShape shape, List<StoreEntry<StoredObject>> items) {
    long length = (long) shape.head().length + END.length + Math.max(0, items.size() - 1);
    for (StoreEntry<StoredObject> item : items) {
      length += item.value().json().length;
    }
    return length;
  }

  private ListShape converted(RequestTarget target, byte[] metadata) {
    byte[] kind = TypeHead.of(target.kind(), target.version()).list();
    Function<StoredObject, ObjectNode> view = untyped(target);
    return shape(
        ByteChunks.join(kind, metadata, ITEMS),
        (out, object) -> out.write(JsonTrees.bytes(view.apply(object))));
  }

  private ListShape rows(
      ServerExchange exchange, RequestTarget target, NegotiatedFormat wanted, byte[] metadata) {
    TableBuilder table = AnswerWriter.tables(exchange, target, wanted);
    byte[] head =
        ByteChunks.join(
            TypeHead.of("Table", "meta.k8s.io/" + wanted.version()),
            TypeHead.bytes("\"metadata\":"),
            metadata,
            TypeHead.bytes(",\"columnDefinitions\":"),
            JsonTrees.bytes(table.columnDefinitions()),
            TypeHead.bytes(",\"rows\":["));
    return shape(
        head,
        (out, object) ->
            out.write(JsonTrees.bytes(table.row(views.served(target, object), target.now()))));
  }

  private ListShape partial(
      RequestTarget target, NegotiatedFormat wanted, byte[] metadata, boolean stored) {
    String version = "meta.k8s.io/" + wanted.version();
    byte[] head =
        ByteChunks.join(
            TypeHead.of("PartialObjectMetadataList", version),
            TypeHead.bytes("\"metadata\":"),
            metadata,
            ITEMS);
    return shape(
        head,
        stored
            ? (out, object) -> PartialBytes.write(out, object.json(), wanted.version())
            : (out, object) ->
                out.write(JsonTrees.bytes(views.partial(target, object, wanted.version()))));
  }

  private static void send(
      ServerExchange exchange,
      ListShape shape,
      List<StoreEntry<StoredObject>> items,
      long length,
      boolean isExact)
      throws IOException {
    boolean gzip = length >= FastGzip.WORTH_IT && exchange.acceptsGzip();
    boolean indented =
        shape.format() == NegotiatedFormat.Format.JSON && IndentedJson.isWanted(exchange);
    if (gzip) {
      // The compressor lives as long as the slow client takes.
      exchange.hold(FastGzip.MEMORY);
      exchange.response().getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    } else if (isExact && !indented) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
    }
    exchange.start(200, shape.format().mediaType());
    // The snapshot keeps old objects in memory until the last byte is sent.
    exchange.hurry();
    // The buffer of a short list has its exact size.
    int expected =
        isExact && !indented ? (int) Math.min(length, Integer.MAX_VALUE) : Integer.MAX_VALUE;
    ChunkedOutput plain = new ChunkedOutput(exchange, expected);
    OutputStream wire = gzip ? new FastGzip(plain) : plain;
    try (OutputStream out = indented ? new IndentedJson(wire) : wire) {
      writeTo(out, shape, items);
    }
  }

  private static void writeTo(
      OutputStream out, ListShape shape, List<StoreEntry<StoredObject>> items) throws IOException {
    out.write(shape.head());
    boolean first = true;
    for (StoreEntry<StoredObject> item : items) {
      if (!first) {
        out.write(shape.between());
      }
      first = false;
      shape.item().write(out, item.value());
    }
    out.write(shape.end());
  }
}
