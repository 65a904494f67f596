package dev.berth.cli.node;

import dev.berth.agent.node.NodeOptions.Taint;
import dev.berth.agent.pressure.PressureTexts;
import dev.berth.api.DnsNames;
import dev.berth.api.Quantity;
import dev.berth.server.admission.plugins.NodeLabels;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parses the values of a node's flags and collects mistakes.
public record NodeFlagReader(List<String> mistakes) {
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern TAINT =
      Pattern.compile("([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)");

  private static final List<String> RESERVABLE = List.of("cpu", "memory", "ephemeral-storage");

  void name(String flag, String text) {
    if (!text.isEmpty() && !DnsNames.isSubdomain(text)) {
      mistakes.add(
          "%s=%s: must be lower-case letters, digits, `-` and `.`, such as node-1"
              .formatted(flag, text));
    }
  }

  @Nullable InetAddress address(String flag, String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      mistakes.add("%s=%s: must be an IPv4 or IPv6 address".formatted(flag, text));
      return null;
    }
  }

  int number(String flag, String text) {
    if (text.matches("[0-9]{1,9}")) {
      return Integer.parseInt(text);
    }
    mistakes.add("%s=%s: must be a number".formatted(flag, text));
    return 0;
  }

  int number(String flag, String text, int least, int most) {
    int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    if (number < least || number > most) {
      String upTo = most == Integer.MAX_VALUE ? "or more" : "to " + most;
      mistakes.add("%s=%s: must be a number, %d %s".formatted(flag, text, least, upTo));
    }
    return number;
  }

  boolean bool(String flag, String text) {
    if (!List.of("true", "false").contains(text)) {
      mistakes.add("%s=%s: must be true or false".formatted(flag, text));
    }
    return text.equals("true");
  }

  Duration time(String flag, String text, String example) {
    Optional<Duration> time = PressureTexts.duration(text);
    if (time.isEmpty()) {
      mistakes.add("%s=%s: must be a time such as %s".formatted(flag, text, example));
    }
    return time.orElse(Duration.ZERO);
  }

  public int port(String flag, String text) {
    if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65535) {
      return Integer.parseInt(text);
    }
    mistakes.add(
        "%s=%s: must be a number from 0 to 65535 (0 takes any free port)".formatted(flag, text));
    return 0;
  }

  /// Labels that a node may give itself.
  Map<String, String> labels(String flag, String text) {
    Map<String, String> labels = pairs(flag, text);
    labels.forEach((key, value) -> label(flag, key + "=" + value, key, value));
    NodeLabels.forbidden(labels.keySet())
        .forEach(
            key ->
                mistakes.add(
                    ("%s=%s=%s: must not be a label of kubernetes.io or k8s.io, except of"
                            + " node.kubernetes.io, kubelet.kubernetes.io and those that describe a"
                            + " machine, such as topology.kubernetes.io/zone")
                        .formatted(flag, key, labels.get(key))));
    return labels;
  }

  private void label(String flag, String whole, String key, String value) {
    int slash = key.indexOf('/');
    boolean isKey =
        LABEL.matcher(key.substring(slash + 1)).matches()
            && (slash < 0 || DnsNames.isSubdomain(key.substring(0, slash)));
    if (!isKey) {
      mistakes.add(
          ("%s=%s: the key must be up to 63 letters, digits, `-`, `_` and `.`, perhaps after a"
                  + " domain and `/`, such as example.com/disk")
              .formatted(flag, whole));
    }
    if (!value.isEmpty() && !LABEL.matcher(value).matches()) {
      mistakes.add(
          "%s=%s: the value must be up to 63 letters, digits, `-`, `_` and `.`, or nothing"
              .formatted(flag, whole));
    }
  }

  /// Amounts of resources that can be reserved.
  Map<String, Quantity> reserved(String flag, String text) {
    Map<String, Quantity> reserved = new LinkedHashMap<>();
    pairs(flag, text)
        .forEach(
            (resource, amount) -> {
              Optional<Quantity> quantity = Quantity.parse(amount);
              if (!RESERVABLE.contains(resource)) {
                mistakes.add(
                    "%s=%s=%s: must be of %s"
                        .formatted(flag, resource, amount, String.join(", ", RESERVABLE)));
              } else if (quantity.isEmpty() || quantity.get().signum() < 0) {
                mistakes.add(
                    "%s=%s=%s: must be a quantity such as 500m or 1Gi"
                        .formatted(flag, resource, amount));
              } else {
                reserved.put(resource, quantity.get());
              }
            });
    return reserved;
  }

  private Map<String, String> pairs(String flag, String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String part : parts(text)) {
      int sign = part.indexOf('=');
      if (sign <= 0) {
        mistakes.add("%s=%s: must be KEY=VALUE, several separated by commas".formatted(flag, part));
      } else {
        pairs.put(part.substring(0, sign), part.substring(sign + 1));
      }
    }
    return pairs;
  }

  List<Taint> taints(String flag, String text) {
    List<Taint> taints = new ArrayList<>();
    for (String part : parts(text)) {
      Matcher taint = TAINT.matcher(part);
      if (taint.matches()) {
        String value = Objects.requireNonNullElse(taint.group(2), "");
        label(flag, part, taint.group(1), value);
        taints.add(new Taint(taint.group(1), value, taint.group(3)));
      } else {
        mistakes.add(
            "%s=%s: must be KEY=VALUE:EFFECT with NoSchedule, PreferNoSchedule or NoExecute"
                .formatted(flag, part));
      }
    }
    return taints;
  }

  private static List<String> parts(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }
}
