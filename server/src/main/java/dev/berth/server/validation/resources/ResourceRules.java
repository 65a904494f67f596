package dev.berth.server.validation.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Quantity;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The rules of limits, requests and claims.
///
/// Amounts are canonical texts, so equal texts are equal amounts and most checks need no parsing.
///
/// Upstream's `validateContainerResources`; claims are KEP-4381.
public final class ResourceRules {
  private ResourceRules() {}

  /// The rules of a container's `resources`.
  ///
  /// @param claims the names in `spec.resourceClaims`
  public static void validate(
      JsonNode requirements, Set<String> claims, FieldPath path, FieldErrors errors) {
    if (!(requirements instanceof ObjectNode) || requirements.isEmpty()) {
      return;
    }
    JsonNode limits = requirements.path("limits");
    JsonNode requests = requirements.path("requests");
    limits(limits, path, errors);
    requests(requests, limits, path, errors);
    if (!hasComputeResource(limits)
        && !hasComputeResource(requests)
        && (hasHugePages(limits) || hasHugePages(requests))) {
      // Such a pod would be BestEffort by its class and yet own memory that cannot be taken back.
      errors.forbidden(path, "HugePages require cpu or memory");
    }
    claims(requirements.path("claims"), claims, path.child("claims"), errors);
  }

  /// Amounts that are checked as the limits of a container, such as a pod's overhead; errors are at
  /// `limits` under the path.
  public static void limits(JsonNode limits, FieldPath path, FieldErrors errors) {
    if (limits instanceof ObjectNode amounts) {
      FieldPath at = path.child("limits");
      for (Map.Entry<String, JsonNode> limit : amounts.properties()) {
        amount(limit.getKey(), limit.getValue().asText(), at, errors);
      }
    }
  }

  private static void requests(
      JsonNode requests, JsonNode limits, FieldPath path, FieldErrors errors) {
    if (!(requests instanceof ObjectNode amounts)) {
      return;
    }
    FieldPath at = path.child("requests");
    for (Map.Entry<String, JsonNode> request : amounts.properties()) {
      String name = request.getKey();
      String text = request.getValue().asText();
      nameAndQuantity(name, text, at, errors);
      String limit = PodFields.text(limits, name);
      if (!limit.isEmpty()) {
        againstLimit(name, text, limit, at, errors);
      } else if (!ResourceNames.mayOvercommit(name)) {
        errors.required(path.child("limits"), "Limit must be set for non overcommitable resources");
      }
      hugePages(name, text, at, errors);
    }
  }

  private static void againstLimit(
      String name, String request, String limit, FieldPath path, FieldErrors errors) {
    if (request.equals(limit)) {
      return;
    }
    Optional<Quantity> requested = Quantity.parse(request);
    Optional<Quantity> limited = Quantity.parse(limit);
    int order =
        requested.isPresent() && limited.isPresent() ? requested.get().compareTo(limited.get()) : 0;
    if (order != 0 && !ResourceNames.mayOvercommit(name)) {
      errors.invalid(path, request, "must be equal to " + name + " limit of " + limit);
    } else if (order > 0) {
      errors.invalid(path, request, "must be less than or equal to " + name + " limit of " + limit);
    }
  }

  private static void amount(String name, String text, FieldPath path, FieldErrors errors) {
    nameAndQuantity(name, text, path, errors);
    hugePages(name, text, path, errors);
  }

  private static void nameAndQuantity(
      String name, String text, FieldPath path, FieldErrors errors) {
    if (!ResourceNames.isStandardForContainers(name) || ResourceNames.isHugePages(name)) {
      containerResource(name, path.key(name), errors);
    }
    // Everything else is in normal form, which has no other mistakes.
    if (text.startsWith("-") || ResourceNames.isCounted(name)) {
      quantity(name, text, path.key(name), errors);
    }
  }

  /// The rules of a resource's name.
  static void resourceName(String name, FieldPath path, FieldErrors errors) {
    List<String> reasons = NameRules.qualifiedName(name);
    errors.invalid(path, name, reasons);
    if (reasons.isEmpty() && name.indexOf('/') < 0 && !ResourceNames.isStandard(name)) {
      errors.invalid(path, name, "must be a standard resource type or fully qualified");
    }
  }

  static void containerResource(String name, FieldPath path, FieldErrors errors) {
    resourceName(name, path, errors);
    if (name.indexOf('/') < 0) {
      if (!ResourceNames.isStandardForContainers(name)) {
        errors.invalid(path, name, "must be a standard resource for containers");
      }
    } else if (!ResourceNames.isNative(name) && !ResourceNames.isExtended(name)) {
      errors.invalid(path, name, "doesn't follow extended resource name standard");
    }
  }

  /// The rules of one amount, requested or offered by a node.
  public static void quantity(String name, String text, FieldPath path, FieldErrors errors) {
    if (text.startsWith("-")) {
      errors.invalid(path, text, CommonChecks.NOT_NEGATIVE);
    }
    if (ResourceNames.isCounted(name) && isFraction(text)) {
      errors.invalidLiteral(path, literal(text), "must be an integer");
    }
  }

  /// A canonical quantity has a unit below one only if the amount is not whole.
  private static boolean isFraction(String text) {
    return text.endsWith("m") || text.endsWith("u") || text.endsWith("n") || text.contains("e-");
  }

  /// Upstream prints the inner form of Go's quantity here, and clients compare the text.
  private static String literal(String text) {
    int digits = text.length();
    while (digits > 0 && !Character.isDigit(text.charAt(digits - 1))) {
      digits--;
    }
    int scale =
        switch (text.substring(digits)) {
          case "m" -> -3;
          case "u" -> -6;
          case "n" -> -9;
          default -> 0;
        };
    return ("resource.Quantity{i:resource.int64Amount{value:%s, scale:%d},"
            + " d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:\"%s\", Format:\"DecimalSI\"}")
        .formatted(text.substring(0, digits), scale, text);
  }

  private static void hugePages(String name, String text, FieldPath path, FieldErrors errors) {
    if (!ResourceNames.isHugePages(name)) {
      return;
    }
    long page =
        Quantity.parse(ResourceNames.pageSize(name))
            .filter(size -> size.signum() > 0 && !isFraction(size.toString()))
            .map(Quantity::value)
            .orElse(0L);
    long amount = Quantity.parse(text).map(Quantity::value).orElse(0L);
    // The kernel gives whole pages only.
    if (page == 0 || amount % page != 0) {
      errors.invalid(path.key(name), text, text + " is not positive integer multiple of " + name);
    }
  }

  private static boolean hasComputeResource(JsonNode amounts) {
    return amounts.has("cpu") || amounts.has("memory");
  }

  private static boolean hasHugePages(JsonNode amounts) {
    for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
      if (ResourceNames.isHugePages(amount.getKey())) {
        return true;
      }
    }
    return false;
  }

  private static void claims(
      JsonNode claims, Set<String> offered, FieldPath path, FieldErrors errors) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < claims.size(); i++) {
      String name = PodFields.text(claims.get(i), "name");
      if (name.isEmpty()) {
        errors.required(path.index(i), "");
        continue;
      }
      unique(name, PodFields.text(claims.get(i), "request"), names, path.index(i), errors);
      if (!offered.contains(name)) {
        errors.add(
            FieldError.Kind.NOT_FOUND,
            path.index(i),
            "Not found: %s: must be one of the names in pod.spec.resourceClaims%s"
                .formatted(
                    GoText.quote(name),
                    offered.isEmpty()
                        ? " which is empty"
                        : ": " + String.join(", ", new TreeSet<>(offered))));
      }
    }
  }

  /// A claim is named once as a whole, or by different requests in it.
  private static void unique(
      String name, String request, Set<String> names, FieldPath path, FieldErrors errors) {
    if (names.contains(name)) {
      errors.duplicate(path, name);
      return;
    }
    String key = request.isEmpty() ? name : name + "/" + request;
    if (!request.isEmpty()) {
      errors.invalid(path.child("request"), request, NameRules.dns1123Label(request));
    }
    if (names.contains(key)) {
      errors.duplicate(path, key);
    } else if (request.isEmpty()) {
      names.stream()
          .filter(existing -> existing.startsWith(name + "/"))
          .forEach(_ -> errors.duplicate(path, name));
    }
    names.add(key);
  }
}
