package dev.berth.agent.runtimes.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The names of all threads, virtual ones among them.
public final class ThreadDump {
  private ThreadDump() {}

  public static List<String> virtualThreads() {
    try {
      Path directory = Files.createTempDirectory("threads");
      Path file = directory.resolve("dump.json");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
      JsonNode dump = JsonMapper.builder().build().readTree(file.toFile());
      Files.delete(file);
      Files.delete(directory);
      List<String> names = new ArrayList<>();
      dump.path("threadDump")
          .path("threadContainers")
          .forEach(
              container ->
                  container
                      .path("threads")
                      .forEach(thread -> names.add(thread.path("name").asText())));
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
