package dev.berth.server.http.encoding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.store.StoreEntry;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/// Encodes a list in protobuf. The length comes first, so every item is encoded once before the
/// first one is sent; items of a long list are encoded a second time instead of being kept.
///
/// The items must be written in the order of the constructor's list, because kept items are taken
/// from a queue.
final class ProtobufList {
  /// Up to this size the encoded items are kept between both passes; above it they are encoded
  /// twice, which costs time instead of memory.
  private static final long KEPT_BYTES = 4 << 20;

  private final BinaryFormat.ListPieces pieces;
  private final Function<StoredObject, ObjectNode> view;
  private final Queue<byte[]> first = new ArrayDeque<>();
  private long itemBytes;

  /// @param view converts an object to the requested version
  ProtobufList(
      BinaryFormat.ListPieces pieces,
      List<StoreEntry<StoredObject>> items,
      Function<StoredObject, ObjectNode> view) {
    this.pieces = pieces;
    this.view = view;
    for (StoreEntry<StoredObject> entry : items) {
      byte[] item = item(entry.value());
      itemBytes += item.length;
      if (itemBytes <= KEPT_BYTES) {
        first.add(item);
      }
    }
  }

  private byte[] item(StoredObject object) {
    return pieces.item(view.apply(object));
  }

  ListShape shape(ObjectNode metadata) {
    return new ListShape(
        NegotiatedFormat.Format.PROTOBUF,
        pieces.head(metadata, itemBytes),
        (out, object) -> {
          byte[] kept = first.poll();
          out.write(kept == null ? item(object) : kept);
        },
        new byte[0],
        pieces.tail());
  }

  long length(ListShape shape) {
    return shape.head().length + itemBytes + shape.end().length;
  }
}
