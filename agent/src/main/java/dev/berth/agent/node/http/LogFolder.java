package dev.berth.agent.node.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.util.URIUtil;

/// The files of the machine's logs, to be read; what a link leads out of the folder is not there.
record LogFolder(Path root) {
  private static final String PREFIX = "/logs";

  void serve(Incoming incoming) throws IOException {
    Path file = find(URIUtil.decodePath(incoming.path().substring(PREFIX.length())));
    if (Files.isDirectory(file)) {
      byte[] list = list(file).getBytes(StandardCharsets.UTF_8);
      incoming.send(200, "text/html; charset=utf-8", list);
      return;
    }
    try (OutputStream out = incoming.stream("text/plain; charset=utf-8")) {
      Files.copy(file, out);
    }
    incoming.callback().succeeded();
  }

  /// The real file or folder at a path below the root.
  Path find(String path) throws IOException {
    try {
      Path real = root.resolve(path.replaceFirst("^/+", "")).toRealPath();
      boolean isReadable = Files.isDirectory(real) || Files.isRegularFile(real);
      if (isReadable && real.startsWith(root.toRealPath())) {
        return real;
      }
    } catch (FileSystemException | InvalidPathException _) {
      // Not there.
    }
    throw new HttpFailure(404, "404 page not found");
  }

  /// As Go's file server lists a folder.
  static String list(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
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
