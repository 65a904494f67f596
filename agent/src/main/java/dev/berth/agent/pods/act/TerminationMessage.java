package dev.berth.agent.pods.act;

import static java.util.function.Predicate.not;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PodLabels;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a container's termination message: the file it may write, else the end of its log if the
/// pod asks for that.
public final class TerminationMessage {
  /// The kubelet's limit for the message of one container; the container writes the file and may
  /// write any amount.
  private static final int LONGEST = 4096;

  /// The kubelet's limits with `FallbackToLogsOnError`: the last 80 lines, of those the last 2,048
  /// bytes.
  private static final int LONGEST_LOG = 2048;

  private static final int LINES = 80;

  /// Longer than the longest line that runtimes write at once.
  private static final int LOG_READ = 32 * 1024;

  private static final Pattern LINE = Pattern.compile("\n");
  private static final Pattern ENTRY =
      Pattern.compile("\\S+ (stdout|stderr) (?<tag>\\S+) (?<content>.*)", Pattern.DOTALL);

  private final NodeSettings node;

  public TerminationMessage(NodeSettings node) {
    this.node = node;
  }

  public String of(Pod pod, ObservedContainer container) {
    Path file =
        ContainerFiles.messageFile(
            node, pod.getMetadata().getUid(), container.name(), container.attempt());
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

  /// The last lines that fit into the limit. One line may be longer than the limit.
  private static String endOfLog(Path log) {
    List<String> lines =
        LINE.splitAsStream(tail(log, LOG_READ)).filter(not(String::isEmpty)).toList();
    StringBuilder content = new StringBuilder();
    lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
        .map(TerminationMessage::content)
        .forEach(content::append);
    byte[] bytes = content.toString().getBytes(StandardCharsets.UTF_8);
    int from = Math.max(0, bytes.length - LONGEST_LOG);
    while (from < bytes.length && (bytes[from] & 0xC0) == 0x80) {
      from++; // The text must not start within a UTF-8 character.
    }
    return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
  }

  /// The text after time, stream and tag. A line that is cut at its start is text only.
  private static String content(String line) {
    Matcher entry = ENTRY.matcher(line);
    if (!entry.matches()) {
      return line + "\n";
    }
    boolean isPartial = entry.group("tag").startsWith("P");
    return entry.group("content") + (isPartial ? "" : "\n");
  }

  private static String tail(Path file, int most) {
    // Both files are in the container's directory below the pod's directory.
    try (DirectoryHandle directory = DirectoryHandle.openParent(file, 2);
        FileHandle found = directory.find(String.valueOf(file.getFileName()))) {
      return new String(found.tail(most), StandardCharsets.UTF_8);
    } catch (NoSuchFileException _) {
      return "";
    } catch (FileSystemException e) {
      return "Error reading termination message: " + reason(e);
    } catch (IOException e) {
      return "Error reading termination message: " + e.getMessage();
    }
  }

  /// Paths of the host must not reach users of pods.
  private static String reason(FileSystemException failure) {
    String reason = failure.getReason();
    return reason == null ? "it cannot be opened" : reason;
  }
}
