package dev.berth.server.http.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.KubernetesVersion;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;

/// The content of `/version`: API level, build, and the platform of the server.
public final class ServerVersion {
  private ServerVersion() {}

  public static byte[] document() {
    Properties build = build();
    ObjectNode version = JsonTrees.object();
    version.put("major", KubernetesVersion.MAJOR).put("minor", KubernetesVersion.MINOR);
    version.put("gitVersion", KubernetesVersion.GIT_VERSION);
    version
        .put("gitCommit", build.getProperty("commit", ""))
        .put("gitTreeState", build.getProperty("tree", ""))
        .put("buildDate", build.getProperty("date", ""));
    version.put("goVersion", "java" + Runtime.version()).put("compiler", "javac");
    version.put(
        "platform", platform(System.getProperty("os.name", ""), System.getProperty("os.arch", "")));
    return JsonTrees.bytes(version);
  }

  /// Maven fills in this file at build time.
  private static Properties build() {
    Properties build = new Properties();
    try (InputStream in =
        Objects.requireNonNull(ServerVersion.class.getResourceAsStream("build.properties"))) {
      build.load(in);
    } catch (IOException e) {
      throw new IllegalStateException("build.properties cannot be read", e);
    }
    return build;
  }

  /// Go's name of the platform, such as `linux/amd64`.
  static String platform(String system, String machine) {
    String name = system.toLowerCase(Locale.ROOT);
    String os = name.startsWith("windows") ? "windows" : name.startsWith("mac") ? "darwin" : name;
    String architecture =
        switch (machine) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          case "x86", "i386", "i686" -> "386";
          default -> machine;
        };
    return os + "/" + architecture;
  }
}
