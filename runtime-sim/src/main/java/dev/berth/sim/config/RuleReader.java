package dev.berth.sim.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.platforms.WindowsVersion;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.images.PullSpeed;
import dev.berth.sim.knobs.ExitRule;
import dev.berth.sim.knobs.ExitRule.Exit;
import dev.berth.sim.knobs.FaultRule;
import dev.berth.sim.knobs.FaultRule.Failure;
import dev.berth.sim.knobs.FaultRule.Subject;
import dev.berth.sim.knobs.GlobPattern;
import dev.berth.sim.knobs.RuleFrequency;
import dev.berth.sim.knobs.SimCondition;
import dev.berth.sim.profile.SimHandler;
import io.grpc.Status;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads single settings. The configuration and the admin endpoint share it, so that both accept
/// the same fields. Results after a mistake are placeholders: callers check the collected mistakes
/// before they use a result.
public final class RuleReader {
  private final ConfigErrors mistakes;

  public RuleReader(ConfigErrors mistakes) {
    this.mistakes = mistakes;
  }

  /// Reads one fault rule or a list of them.
  public List<FaultRule> faults(JsonNode node, String place) {
    return ConfigFields.list(node, place, mistakes).stream().map(RuleReader::fault).toList();
  }

  /// Reads one exit rule or a list of them.
  public List<ExitRule> exits(JsonNode node, String place) {
    return ConfigFields.list(node, place, mistakes).stream().map(RuleReader::exit).toList();
  }

  /// Reads the handlers. Exactly one is the default: the first one, unless another one sets
  /// `default`.
  public List<SimHandler> handlers(JsonNode node, String place) {
    List<ConfigFields> all = ConfigFields.list(node, place, mistakes);
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
      mistakes.add(place, defaults + " handlers are the default; exactly one can be");
    }
    chosen[0] |= defaults == 0;
    Set<String> names = new HashSet<>();
    List<SimHandler> handlers = new java.util.ArrayList<>();
    for (int i = 0; i < chosen.length; i++) {
      handlers.add(handler(all.get(i), chosen[i], names));
    }
    return handlers;
  }

  /// Reads the speed of pulls; without fields pulls take no time.
  public PullSpeed pulls(JsonNode node, String place) {
    ConfigFields fields = new ConfigFields(node, place, mistakes);
    PullSpeed speed =
        new PullSpeed(fields.duration("latency", Duration.ZERO), fields.bytes("bytesPerSecond", 0));
    fields.end();
    return speed;
  }

  /// Reads a condition; without fields the condition is true.
  public SimCondition condition(JsonNode node, String place) {
    ConfigFields fields = new ConfigFields(node, place, mistakes);
    SimCondition condition =
        new SimCondition(
            fields.flag("ready", true), fields.text("reason", ""), fields.text("message", ""));
    fields.end();
    return condition;
  }

  /// Reads how to end a running container: `code` and `reason`.
  public Exit end(JsonNode node) {
    ConfigFields fields = new ConfigFields(node, "", mistakes);
    Exit exit = new Exit(Duration.ZERO, code(fields), fields.text("reason", ""));
    fields.end();
    return exit;
  }

  public boolean enabled(JsonNode node) {
    ConfigFields fields = new ConfigFields(node, "", mistakes);
    boolean enabled = fields.flag("enabled", true);
    fields.end();
    return enabled;
  }

  /// Reads whether a restart keeps the pods: `state` is `keep` or `lose`.
  public boolean keepsState(JsonNode node) {
    ConfigFields fields = new ConfigFields(node, "", mistakes);
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

  private static FaultRule fault(ConfigFields fields) {
    Subject subject =
        new Subject(
            glob(fields, "handler"),
            glob(fields, "image"),
            glob(fields, "namespace"),
            glob(fields, "pod"),
            glob(fields, "container"));
    Optional<Status.Code> code =
        fields.parsed(
            "code", "one of " + Arrays.toString(Status.Code.values()), RuleReader::status);
    String message = fields.text("message", "simulated failure");
    FaultRule rule =
        new FaultRule(
            new GlobPattern(fields.text("call", "*")),
            subject,
            fields.duration("latency", Duration.ZERO),
            fields.duration("jitter", Duration.ZERO),
            code.map(value -> new Failure(value, message)),
            fields.flag("hang", false),
            frequency(fields));
    if (rule.latency().isZero() && rule.jitter().isZero() && code.isEmpty() && !rule.hang()) {
      fields.mistake("", "has no effect: set latency, jitter, code or hang");
    }
    fields.end();
    return rule;
  }

  private static ExitRule exit(ConfigFields fields) {
    Exit exit =
        new Exit(fields.duration("after", Duration.ZERO), code(fields), fields.text("reason", ""));
    ExitRule rule =
        new ExitRule(
            glob(fields, "namespace"),
            glob(fields, "pod"),
            glob(fields, "container"),
            glob(fields, "image"),
            exit,
            new RuleFrequency(
                fields.count("afterStarts", 0, 0),
                fields.count("count", 0, 0),
                fields.fraction("probability", 1)));
    fields.end();
    return rule;
  }

  private static int code(ConfigFields fields) {
    return (int) fields.count("code", 0, 0);
  }

  private static RuleFrequency frequency(ConfigFields fields) {
    return new RuleFrequency(
        fields.count("after", 0, 0),
        fields.count("count", 0, 0),
        fields.fraction("probability", 1));
  }

  private static GlobPattern glob(ConfigFields fields, String key) {
    return new GlobPattern(fields.text(key, ""));
  }

  /// Reads the name of a gRPC code. OK is no failure and is refused.
  private static Optional<Status.Code> status(String text) {
    String wanted = text.toUpperCase(Locale.ROOT);
    return Arrays.stream(Status.Code.values())
        .filter(code -> code != Status.Code.OK && code.name().equals(wanted))
        .findFirst();
  }

  /// Reads a handler, whose name must be unique: RuntimeClasses choose by it.
  private static SimHandler handler(ConfigFields fields, boolean isDefault, Set<String> names) {
    String name = fields.text("name", "");
    if (name.isEmpty() || !names.add(name)) {
      fields.mistake("name", name.isEmpty() ? "is needed" : "\"" + name + "\" exists twice");
    }
    ConfigFields features = fields.object("features");
    Map<String, String> options = fields.map("options");
    check(fields, options);
    SimHandler handler =
        new SimHandler(
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

  /// Checks the options that decide which images a handler can run; all others are passed on.
  private static void check(ConfigFields fields, Map<String, String> options) {
    String platform = options.getOrDefault(SimHandler.PLATFORM, "windows/amd64");
    if (ImagePlatform.parse(platform).isEmpty()) {
      fields.mistake("options." + SimHandler.PLATFORM, platform + " is not os/architecture");
    }
    String version = options.getOrDefault(SimHandler.OS_VERSION, "10.0.17763");
    if (WindowsVersion.parse(version).isEmpty()) {
      fields.mistake(
          "options." + SimHandler.OS_VERSION, version + " is not a version such as 10.0.17763");
    }
  }
}
