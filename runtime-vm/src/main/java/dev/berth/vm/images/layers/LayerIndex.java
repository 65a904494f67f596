package dev.berth.vm.images.layers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The entries of a layer on disk, in their order.
final class LayerIndex {
  private static final int MAGIC = 0x424c5931;
  private static final int BUFFER = 128 * 1024;

  /// Instead of the code of a type.
  private static final byte END = 0;

  private LayerIndex() {}

  /// Writes entries one after the other; the caller makes the file durable.
  static final class IndexWriter implements AutoCloseable {
    private final DataOutputStream out;
    private long bytes;

    IndexWriter(OutputStream file) throws IOException {
      out = new DataOutputStream(new BufferedOutputStream(file, BUFFER));
      out.writeInt(MAGIC);
    }

    void write(LayerEntry entry) throws IOException {
      out.writeByte(entry.type().code);
      text(entry.path());
      out.writeInt(entry.mode());
      out.writeLong(entry.uid());
      out.writeLong(entry.gid());
      out.writeLong(entry.mtimeSeconds());
      out.writeInt(entry.mtimeNanos());
      out.writeLong(entry.size());
      out.writeInt(entry.firstBlock());
      text(entry.link());
      out.writeInt(entry.device());
      out.writeInt(entry.xattrs().size());
      for (Map.Entry<String, byte[]> xattr : entry.xattrs().entrySet()) {
        text(xattr.getKey());
        bytes(xattr.getValue());
      }
    }

    private void text(String text) throws IOException {
      bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void bytes(byte[] value) throws IOException {
      out.writeInt(value.length);
      out.write(value);
      bytes += value.length;
    }

    /// Of names and values written so far.
    long bytes() {
      return bytes;
    }

    @Override
    public void close() throws IOException {
      out.writeByte(END);
      out.flush();
    }
  }

  static List<LayerEntry> read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
      if (in.readInt() != MAGIC) {
        throw new IOException("%s is not the index of a layer".formatted(file));
      }
      List<LayerEntry> entries = new ArrayList<>();
      for (byte type = in.readByte(); type != END; type = in.readByte()) {
        entries.add(entry(LayerEntryType.of(type), in));
      }
      return entries;
    }
  }

  private static LayerEntry entry(LayerEntryType type, DataInputStream in) throws IOException {
    String path = text(in);
    int mode = in.readInt();
    long uid = in.readLong();
    long gid = in.readLong();
    long seconds = in.readLong();
    int nanos = in.readInt();
    long size = in.readLong();
    int firstBlock = in.readInt();
    String link = text(in);
    int device = in.readInt();
    int count = in.readInt();
    Map<String, byte[]> xattrs = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String name = text(in);
      xattrs.put(name, in.readNBytes(in.readInt()));
    }
    return new LayerEntry(
        path, type, mode, uid, gid, seconds, nanos, size, firstBlock, link, device, xattrs);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1);
  }
}
