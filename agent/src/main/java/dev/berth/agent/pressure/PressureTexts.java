package dev.berth.agent.pressure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Parses thresholds in the syntax of the kubelet's flags, and collects mistakes.
///
/// @param mistakes each begins with the flag
public record PressureTexts(List<String> mistakes) {
  private static final Pattern DURATION =
      Pattern.compile("(?:(\\d{1,6})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9}(?:\\.\\d{1,3})?)s)?");
  private static final String SIGNALS =
      Arrays.stream(EvictionSignal.values())
          .map(EvictionSignal::toString)
          .collect(Collectors.joining(", "));

  /// The texts of the flags; each may be empty.
  ///
  /// @param hard such as `memory.available<100Mi,nodefs.available<10%`; empty for the defaults
  /// @param soft in the same syntax
  /// @param graces such as `memory.available=1m30s`, one for each soft threshold
  /// @param reclaims such as `memory.available=500Mi`
  public record Texts(String hard, String soft, String graces, String reclaims) {}

  public List<EvictionThreshold> thresholds(Texts texts) {
    Map<EvictionSignal, Duration> graces =
        entries("--eviction-soft-grace-period", texts.graces(), "=", PressureTexts::duration);
    Map<EvictionSignal, ThresholdValue> reclaims =
        entries("--eviction-minimum-reclaim", texts.reclaims(), "=", PressureTexts::amount);
    List<EvictionThreshold> all = new ArrayList<>();
    if (texts.hard().isEmpty()) {
      PressureRules.HARD.forEach(
          usual -> all.add(with(usual.signal(), usual.least(), Duration.ZERO, reclaims)));
    }
    least("--eviction-hard", texts.hard())
        .forEach((signal, amount) -> all.add(with(signal, amount, Duration.ZERO, reclaims)));
    least("--eviction-soft", texts.soft())
        .forEach(
            (signal, amount) -> {
              Duration grace = graces.getOrDefault(signal, Duration.ZERO);
              if (grace.isZero()) {
                mistakes.add(
                    "--eviction-soft=%s: needs a period in --eviction-soft-grace-period, such as"
                            .formatted(signal)
                        + " %s=1m30s".formatted(signal));
              }
              all.add(with(signal, amount, grace, reclaims));
            });
    return all;
  }

  private static EvictionThreshold with(
      EvictionSignal signal,
      ThresholdValue least,
      Duration grace,
      Map<EvictionSignal, ThresholdValue> reclaims) {
    return new EvictionThreshold(
        signal, least, grace, reclaims.getOrDefault(signal, ThresholdValue.NOTHING));
  }

  /// 0 % and 100 % disable a threshold.
  private Map<EvictionSignal, ThresholdValue> least(String flag, String text) {
    Map<EvictionSignal, ThresholdValue> all = entries(flag, text, "<", PressureTexts::amount);
    all.values()
        .removeIf(amount -> amount.number() == 0 && (amount.part() <= 0 || amount.part() == 1));
    return all;
  }

  /// A duration in Go's syntax, such as `1h`, `1m30s` or `0.5s`; empty when invalid.
  public static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (text.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    if (text.isEmpty() || !matcher.matches()) {
      return Optional.empty();
    }
    Duration time =
        Duration.ofHours(number(matcher.group(1))).plusMinutes(number(matcher.group(2)));
    String seconds = matcher.group(3);
    return Optional.of(
        seconds == null ? time : time.plusMillis(Math.round(Double.parseDouble(seconds) * 1000)));
  }

  private static long number(@org.jspecify.annotations.Nullable String text) {
    return text == null ? 0 : Long.parseLong(text);
  }

  private static Optional<ThresholdValue> amount(String text) {
    return ThresholdValue.parse(text)
        .filter(amount -> amount.number() >= 0 && amount.part() >= 0 && amount.part() <= 1);
  }

  private <T> Map<EvictionSignal, T> entries(
      String flag, String text, String sign, Function<String, Optional<T>> read) {
    Map<EvictionSignal, T> entries = new LinkedHashMap<>();
    for (String part : text.isEmpty() ? List.<String>of() : List.of(text.split(",", -1))) {
      String[] sides = part.strip().split(sign, 2);
      Optional<EvictionSignal> signal = EvictionSignal.of(sides[0].strip());
      Optional<T> value = sides.length < 2 ? Optional.empty() : read.apply(sides[1].strip());
      if (signal.isPresent() && value.isPresent()) {
        entries.put(signal.get(), value.get());
      } else {
        mistakes.add(
            "%s=%s: must be SIGNAL%sVALUE with a signal of %s and a value such as %s"
                .formatted(
                    flag, part, sign, SIGNALS, flag.contains("period") ? "1m30s" : "100Mi or 5%"));
      }
    }
    return entries;
  }
}
