package dev.berth.vm.images.erofs;

import static dev.berth.vm.images.erofs.ErofsFormat.XATTR_ENTRY;
import static dev.berth.vm.images.erofs.ErofsFormat.XATTR_HEADER;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// The extended attributes behind an inode.
final class XattrArea {
  private static final byte[] NONE = {};

  /// Names without this prefix, by its number.
  private record PrefixedName(int prefix, String rest) {
    static PrefixedName of(String name) {
      return switch (name) {
        case "system.posix_acl_access" -> new PrefixedName(2, "");
        case "system.posix_acl_default" -> new PrefixedName(3, "");
        case String user when user.startsWith("user.") -> cut(1, user);
        case String security when security.startsWith("security.") -> cut(6, security);
        default -> throw new IllegalArgumentException("attribute %s".formatted(name));
      };
    }

    private static PrefixedName cut(int prefix, String name) {
      return new PrefixedName(prefix, name.substring(name.indexOf('.') + 1));
    }
  }

  private XattrArea() {}

  /// The bytes behind an inode with these attributes; none for no attributes.
  static byte[] of(Map<String, byte[]> xattrs) {
    if (xattrs.isEmpty()) {
      return NONE;
    }
    int size = XATTR_HEADER;
    for (Map.Entry<String, byte[]> xattr : xattrs.entrySet()) {
      int name = PrefixedName.of(xattr.getKey()).rest().length();
      size += (int) aligned(XATTR_ENTRY + name + xattr.getValue().length);
    }
    ByteBuffer area = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    area.position(XATTR_HEADER);
    new TreeMap<>(xattrs)
        .forEach(
            (name, value) -> {
              PrefixedName prefixed = PrefixedName.of(name);
              area.put((byte) prefixed.rest().length())
                  .put((byte) prefixed.prefix())
                  .putShort((short) value.length)
                  .put(prefixed.rest().getBytes(StandardCharsets.ISO_8859_1))
                  .put(value)
                  .position((int) aligned(area.position()));
            });
    return area.array();
  }

  private static long aligned(long size) {
    return ErofsFormat.roundUp(size, XATTR_ENTRY);
  }

  /// What an inode says about the size of its area.
  static int count(byte[] area) {
    return area.length == 0 ? 0 : (area.length - XATTR_HEADER) / XATTR_ENTRY + 1;
  }
}
