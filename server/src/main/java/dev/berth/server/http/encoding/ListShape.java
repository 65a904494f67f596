package dev.berth.server.http.encoding;

import dev.berth.server.resources.objects.StoredObject;
import java.io.IOException;
import java.io.OutputStream;

/// The parts of an encoded list, so that it can be written item by item.
///
/// `ListWriter` writes head, items with separators, and end; the parts differ by format and
/// representation only.
///
/// @param between separator between two items
@SuppressWarnings("ArrayRecordComponent") // never compared
record ListShape(
    NegotiatedFormat.Format format, byte[] head, Item item, byte[] between, byte[] end) {
  interface Item {
    void write(OutputStream out, StoredObject object) throws IOException;
  }
}
