package dev.berth.sim.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sim.images.PullSpeed;
import dev.berth.sim.knobs.Condition;
import dev.berth.sim.knobs.Dose;
import dev.berth.sim.knobs.ExitRule;
import dev.berth.sim.knobs.ExitRule.Exit;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.FaultRule.Failure;
import dev.berth.sim.knobs.FaultRule.Subject;
import dev.berth.sim.knobs.Glob;
import dev.berth.sim.profile.Handler;
import dev.berth.sim.profile.Platform;
import dev.berth.sim.profile.WindowsVersion;
import io.grpc.Status;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads single knobs; what is wrong with them is in the mistakes.
public final class Rules {
  private final Mistakes mistakes;

  public Rules(Mistakes mistakes) {
    this.mistakes = mistakes;
  }

  /// One rule or a list of them.
  public List<FaultRule> faults(JsonNode node, String place) {
    return Fields.list(node, place, mistakes).stream().map(Rules::fault).toList();
  }

  /// One rule or a list of them.
  public List<ExitRule> exits(JsonNode node, String place) {
    return Fields.list(node, place, mistakes).stream().map(Rules::exit).toList();
  }

  /// Exactly one of them is the default: the first, unless another one says so.
  public List<Handler> handlers(JsonNode node, String place) {
    List<Fields> all = Fields.list(node, place, mistakes);
    if (all.isEmpty()) {
      mistakes.add(place, "at least one handler is needed");
      return List.of();
    }
    boolean[] chosen = new boolean[all.size()];
    int defaults = 0;
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = all.get(i).flag("default", false);
      defaults += chosen[i] ? 1 : 0;
    }
    if (defaults > 1) {
      mistakes.add(place, defaults + " handlers are the default; one can be");
    }
    chosen[0] |= defaults == 0;
    Set<String> names = new HashSet<>();
    List<Handler> handlers = new java.util.ArrayList<>();
    for (int i = 0; i < chosen.length; i++) {
      handlers.add(handler(all.get(i), chosen[i], names));
    }
    return handlers;
  }

  public PullSpeed pulls(JsonNode node, String place) {
    Fields fields = new Fields(node, place, mistakes);
    PullSpeed speed =
        new PullSpeed(fields.duration("latency", Duration.ZERO), fields.bytes("bytesPerSecond", 0));
    fields.end();
    return speed;
  }

  public Condition condition(JsonNode node, String place) {
    Fields fields = new Fields(node, place, mistakes);
    Condition condition =
        new Condition(
            fields.flag("ready", true), fields.text("reason", ""), fields.text("message", ""));
    fields.end();
    return condition;
  }

  /// How a container that runs is to end: `code`, `reason`.
  public Exit end(JsonNode node) {
    Fields fields = new Fields(node, "", mistakes);
    Exit exit = new Exit(Duration.ZERO, code(fields), fields.text("reason", ""));
    fields.end();
    return exit;
  }

  public boolean enabled(JsonNode node) {
    Fields fields = new Fields(node, "", mistakes);
    boolean enabled = fields.flag("enabled", true);
    fields.end();
    return enabled;
  }

  /// Whether a restart keeps its pods: `state` is `keep` or `lose`.
  public boolean keepsState(JsonNode node) {
    Fields fields = new Fields(node, "", mistakes);
    boolean keep =
        fields
            .parsed(
                "state",
                "keep or lose",
                text ->
                    Set.of("keep", "lose").contains(text)
                        ? Optional.of(text.equals("keep"))
                        : Optional.empty())
            .orElse(true);
    fields.end();
    return keep;
  }

  private static FaultRule fault(Fields fields) {
    Subject subject =
        new Subject(
            glob(fields, "handler"),
            glob(fields, "image"),
            glob(fields, "namespace"),
            glob(fields, "pod"),
            glob(fields, "container"));
    Optional<Status.Code> code =
        fields.parsed("code", "one of " + Arrays.toString(Status.Code.values()), Rules::status);
    String message = fields.text("message", "simulated failure");
    FaultRule rule =
        new FaultRule(
            new Glob(fields.text("call", "*")),
            subject,
            fields.duration("latency", Duration.ZERO),
            fields.duration("jitter", Duration.ZERO),
            code.map(value -> new Failure(value, message)),
            fields.flag("hang", false),
            dose(fields));
    if (rule.latency().isZero() && rule.jitter().isZero() && code.isEmpty() && !rule.hang()) {
      fields.mistake("", "does nothing: set latency, jitter, code or hang");
    }
    fields.end();
    return rule;
  }

  private static ExitRule exit(Fields fields) {
    Exit exit =
        new Exit(fields.duration("after", Duration.ZERO), code(fields), fields.text("reason", ""));
    ExitRule rule =
        new ExitRule(
            glob(fields, "namespace"),
            glob(fields, "pod"),
            glob(fields, "container"),
            glob(fields, "image"),
            exit,
            new Dose(
                fields.count("afterStarts", 0, 0),
                fields.count("count", 0, 0),
                fields.fraction("probability", 1)));
    fields.end();
    return rule;
  }

  private static int code(Fields fields) {
    return (int) fields.count("code", 0, 0);
  }

  private static Dose dose(Fields fields) {
    return new Dose(
        fields.count("after", 0, 0),
        fields.count("count", 0, 0),
        fields.fraction("probability", 1));
  }

  private static Glob glob(Fields fields, String key) {
    return new Glob(fields.text(key, ""));
  }

  private static Optional<Status.Code> status(String text) {
    String wanted = text.toUpperCase(Locale.ROOT);
    return Arrays.stream(Status.Code.values())
        .filter(code -> code != Status.Code.OK && code.name().equals(wanted))
        .findFirst();
  }

  private static Handler handler(Fields fields, boolean isDefault, Set<String> names) {
    String name = fields.text("name", "");
    if (name.isEmpty() || !names.add(name)) {
      fields.mistake("name", name.isEmpty() ? "is needed" : "\"" + name + "\" is there twice");
    }
    Fields features = fields.object("features");
    Map<String, String> options = fields.map("options");
    check(fields, options);
    Handler handler =
        new Handler(
            name,
            isDefault,
            fields.text("type", "io.containerd.runc.v2"),
            options,
            features.flag("recursiveReadOnlyMounts", false),
            features.flag("userNamespaces", false));
    features.end();
    fields.end();
    return handler;
  }

  private static void check(Fields fields, Map<String, String> options) {
    String platform = options.getOrDefault(Handler.PLATFORM, "windows/amd64");
    if (Platform.parse(platform).isEmpty()) {
      fields.mistake("options." + Handler.PLATFORM, platform + " is not os/architecture");
    }
    String version = options.getOrDefault(Handler.OS_VERSION, "10.0.17763");
    if (WindowsVersion.parse(version).isEmpty()) {
      fields.mistake(
          "options." + Handler.OS_VERSION, version + " is not a version such as 10.0.17763");
    }
  }
}
