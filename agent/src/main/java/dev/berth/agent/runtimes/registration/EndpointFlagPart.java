package dev.berth.agent.runtimes.registration;

import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// One `workloadType:name:url` of a flag, parsed.
record EndpointFlagPart(
    String where, String workloadType, String name, String url, boolean legacy) {
  static final String SYNTAX =
      "Write workloadType:name:url, for example container:containerd:unix:///run/containerd/containerd.sock";

  private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:/");

  /// @param alone whether the flag has no other part, so that a bare URL is allowed
  static Optional<EndpointFlagPart> parse(
      String where, String text, boolean alone, Consumer<Problem> problems) {
    if (text.isEmpty()) {
      problems.accept(refused(where, "it is empty", "Remove the extra ';'"));
      return Optional.empty();
    }
    if (isUrl(text)) {
      if (!alone) {
        problems.accept(
            refused(where, "a bare URL is only accepted when it is the only one", SYNTAX));
        return Optional.empty();
      }
      String type = WorkloadType.DEFAULT.toString();
      return Optional.of(new EndpointFlagPart(where, type, RuntimeDeclaration.DEFAULT, text, true));
    }
    String[] fields = text.split(":", 3);
    if (fields.length < 3) {
      problems.accept(refused(where, missing(text, fields.length), SYNTAX));
      return Optional.empty();
    }
    return Optional.of(
        new EndpointFlagPart(
            where, fields[0].strip(), fields[1].strip(), fields[2].strip(), false));
  }

  EndpointFlagPart withUrl(String otherPlace, String otherUrl) {
    return new EndpointFlagPart(otherPlace, workloadType, name, otherUrl, legacy);
  }

  /// Whether the text is a path or has a scheme: no workload type is followed by a slash.
  private static boolean isUrl(String text) {
    return text.startsWith("/") || URL.matcher(text).lookingAt();
  }

  private static String missing(String text, int fields) {
    if (text.indexOf(',') >= 0) {
      return "the fields of a runtime service are separated by ':', not by ','";
    }
    return "it has %d of the three fields workloadType:name:url".formatted(fields);
  }

  private static Problem refused(String where, String why, String remedy) {
    return new Problem(where + " cannot be used", why, remedy);
  }
}
