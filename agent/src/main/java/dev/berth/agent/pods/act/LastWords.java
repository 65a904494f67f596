package dev.berth.agent.pods.act;

import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PodLabels;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// What a container left for its status when it ended: the file it may write, else the end of its
/// log where its pod wants that.
public final class LastWords {
  private static final int LONGEST = 4096;
  private static final int LONGEST_LOG = 2048;
  private static final int LINES = 80;

  private final NodeSettings node;
  private final ContainerFiles files;

  public LastWords(NodeSettings node, ContainerFiles files) {
    this.node = node;
    this.files = files;
  }

  public String of(Pod pod, ObservedContainer container) {
    Path file =
        files.messageFile(pod.getMetadata().getUid(), container.name(), container.attempt());
    String message = tail(file, LONGEST);
    boolean fallsBack =
        "FallbackToLogsOnError".equals(container.annotations().get(PodLabels.MESSAGE_POLICY));
    if (message.isEmpty() && fallsBack && container.exitCode() != 0) {
      return endOfLog(
          LogPaths.ofPod(node, pod)
              .resolve(LogPaths.ofContainer(container.name(), container.attempt())));
    }
    return message;
  }

  private static String endOfLog(Path log) {
    List<String> lines = tail(log, 2 * LONGEST_LOG + LINES * 50).lines().toList();
    Deque<String> kept = new ArrayDeque<>();
    int size = 0;
    for (String line : lines.reversed()) {
      // Time, stream and tag come before the content.
      String[] parts = line.split(" ", 4);
      String content = parts.length == 4 ? parts[3] + "\n" : "";
      size += content.length();
      if (size > LONGEST_LOG || kept.size() == LINES) {
        break;
      }
      kept.addFirst(content);
    }
    return String.join("", kept);
  }

  private static String tail(Path file, int most) {
    if (!Files.exists(file)) {
      return "";
    }
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, open.length() - most);
      byte[] content = new byte[(int) (open.length() - from)];
      open.seek(from);
      open.readFully(content);
      return new String(content, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "Error reading termination message: " + e.getMessage();
    }
  }
}
