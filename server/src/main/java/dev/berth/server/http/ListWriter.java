package dev.berth.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.Json;
import dev.berth.server.resources.Answer;
import dev.berth.server.resources.StoredObject;
import dev.berth.server.resources.Target;
import dev.berth.server.table.TableBuilder;
import dev.berth.store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/// Lists in JSON, written item by item: a long one never stands in memory as a whole, neither as
/// trees nor as bytes.
final class ListWriter {
  private static final byte[] ITEMS = TypeHead.bytes(",\"items\":[");
  private static final byte[] END = TypeHead.bytes("]}");

  /// A guess, only to tell lists that are worth compressing.
  private static final int SHAPED_ITEM_BYTES = 512;

  private final Views views;

  ListWriter(Views views) {
    this.views = views;
  }

  /// What stands before the items, and how one of them looks.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Shape(byte[] head, Item item) {}

  private interface Item {
    void write(OutputStream out, StoredObject object) throws IOException;
  }

  void write(Exchange exchange, Target target, Wanted wanted, Answer.Listing listing)
      throws IOException {
    boolean stored = target.version().conversion().sameShape();
    byte[] metadata = Json.bytes(views.listMetadata(listing));
    if (stored && wanted.as() == Wanted.As.OBJECT) {
      Shape shape = asStored(target, metadata);
      send(exchange, shape, listing.items(), lengthAsStored(shape, listing.items()), true);
      return;
    }
    Shape shape =
        switch (wanted.as()) {
          case OBJECT -> converted(target, metadata);
          case TABLE -> rows(exchange, target, wanted, metadata);
          case PARTIAL -> partial(target, wanted, metadata, stored);
        };
    long guess = (long) listing.items().size() * SHAPED_ITEM_BYTES;
    send(exchange, shape, listing.items(), guess, false);
  }

  private static Shape asStored(Target target, byte[] metadata) {
    byte[] kind = TypeHead.of(target.kind(), target.version()).list();
    return new Shape(Pieces.join(kind, metadata, ITEMS), (out, object) -> out.write(object.json()));
  }

  private static long lengthAsStored(Shape shape, List<Entry<StoredObject>> items) {
    long length = (long) shape.head().length + END.length + Math.max(0, items.size() - 1);
    for (Entry<StoredObject> item : items) {
      length += item.value().json().length;
    }
    return length;
  }

  private Shape converted(Target target, byte[] metadata) {
    byte[] kind = TypeHead.of(target.kind(), target.version()).list();
    return new Shape(
        Pieces.join(kind, metadata, ITEMS),
        (out, object) -> {
          ObjectNode item = views.served(target, object);
          item.remove(List.of("kind", "apiVersion"));
          out.write(Json.bytes(item));
        });
  }

  private Shape rows(Exchange exchange, Target target, Wanted wanted, byte[] metadata) {
    TableBuilder table = AnswerWriter.tables(exchange, target, wanted);
    byte[] head =
        Pieces.join(
            TypeHead.of("Table", "meta.k8s.io/" + wanted.version()),
            TypeHead.bytes("\"metadata\":"),
            metadata,
            TypeHead.bytes(",\"columnDefinitions\":"),
            Json.bytes(table.columnDefinitions()),
            TypeHead.bytes(",\"rows\":["));
    return new Shape(
        head,
        (out, object) ->
            out.write(Json.bytes(table.row(views.served(target, object), target.now()))));
  }

  private Shape partial(Target target, Wanted wanted, byte[] metadata, boolean stored) {
    String version = "meta.k8s.io/" + wanted.version();
    byte[] head =
        Pieces.join(
            TypeHead.of("PartialObjectMetadataList", version),
            TypeHead.bytes("\"metadata\":"),
            metadata,
            ITEMS);
    return new Shape(
        head,
        stored
            ? (out, object) -> PartialBytes.write(out, object.json(), wanted.version())
            : (out, object) ->
                out.write(Json.bytes(views.partial(target, object, wanted.version()))));
  }

  private static void send(
      Exchange exchange, Shape shape, List<Entry<StoredObject>> items, long length, boolean isExact)
      throws IOException {
    boolean gzip = length >= FastGzip.WORTH_IT && exchange.acceptsGzip();
    if (gzip) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    } else if (isExact) {
      exchange.response().getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
    }
    exchange.start(200, Wanted.Format.JSON.mediaType());
    int expected = isExact ? (int) Math.min(length, Integer.MAX_VALUE) : Integer.MAX_VALUE;
    ChunkedOutput plain = new ChunkedOutput(exchange, expected);
    try (OutputStream out = gzip ? new FastGzip(plain) : plain) {
      out.write(shape.head());
      boolean first = true;
      for (Entry<StoredObject> item : items) {
        if (!first) {
          out.write(',');
        }
        first = false;
        shape.item().write(out, item.value());
      }
      out.write(END);
    }
  }
}
