package dev.berth.vm.pods.volumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/// Owner and rights of a file, without following a link.
///
/// @param mode without the bits that say what a file is
record UnixStatus(int uid, int gid, int mode) {
  static UnixStatus of(Path path) throws IOException {
    Map<String, Object> status =
        Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
    return new UnixStatus(
        number(status, "uid"), number(status, "gid"), number(status, "mode") & 07777);
  }

  private static int number(Map<String, Object> status, String name) throws IOException {
    if (status.get(name) instanceof Integer number) {
      return number;
    }
    throw new IOException("the file system has no " + name);
  }
}
