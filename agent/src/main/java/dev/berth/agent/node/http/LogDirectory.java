package dev.berth.agent.node.http;

import dev.berth.agent.files.BeneathLookup;
import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.files.FileStatus;
import dev.berth.agent.files.PathEscapeException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.util.URIUtil;

/// The machine's log files, read-only. A link that leads out of the directory counts as missing.
record LogDirectory(Path root) {
  private static final String PREFIX = "/logs";

  void serve(NodeRequest incoming) throws IOException {
    try (FileHandle file = find(URIUtil.decodePath(incoming.path().substring(PREFIX.length())))) {
      if (file.status().isDirectory()) {
        byte[] list = list(file.descriptorPath()).getBytes(StandardCharsets.UTF_8);
        incoming.send(200, "text/html; charset=utf-8", list);
        return;
      }
      try (RandomAccessFile in = file.read();
          OutputStream out = incoming.stream("text/plain; charset=utf-8")) {
        Channels.newInputStream(in.getChannel()).transferTo(out);
      }
      incoming.callback().succeeded();
    }
  }

  /// Opens the file or directory of a path below the root.
  FileHandle find(String path) throws IOException {
    try (DirectoryHandle directory = DirectoryHandle.open(root)) {
      FileHandle found = BeneathLookup.find(directory, path.replaceFirst("^/+", ""));
      FileStatus status = found.status();
      if (status.isDirectory() || status.isRegularFile()) {
        return found;
      }
      found.close();
    } catch (FileSystemException | PathEscapeException _) {
      // The file does not exist.
    }
    throw new HttpFailure(404, "404 page not found");
  }

  /// An HTML list in the format of Go's file server.
  static String list(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      List<String> names =
          all.map(one -> one.getFileName() + (Files.isDirectory(one) ? "/" : "")).sorted().toList();
      StringBuilder text = new StringBuilder("<pre>\n");
      names.forEach(
          name ->
              text.append(
                  "<a href=\"%s\">%s</a>\n".formatted(URIUtil.encodePath(name), html(name))));
      return text.append("</pre>\n").toString();
    }
  }

  private static String html(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
