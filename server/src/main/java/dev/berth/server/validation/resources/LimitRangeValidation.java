package dev.berth.server.validation.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.NameRules;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The rules of LimitRange.
///
/// A contradiction between the amounts could refuse every pod of the namespace, so it is found
/// here.
///
/// Upstream's `ValidateLimitRange`.
public final class LimitRangeValidation implements KindValidator {
  private static final FieldPath LIMITS = FieldPath.of("spec").child("limits");
  private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");
  // In thousandths.
  private static final Quantity ONE = Quantity.ofMilli(1_000);

  @Override
  public void onCreate(ObjectNode limitRange, FieldErrors errors) {
    Set<String> seen = new HashSet<>();
    JsonNode items = limitRange.path("spec").path("limits");
    for (int i = 0; i < items.size(); i++) {
      FieldPath path = LIMITS.index(i);
      String type = items.get(i).path("type").asText();
      type(type, path.child("type"), errors);
      if (!seen.add(type)) {
        errors.duplicate(path.child("type"), type);
      }
      new Item(items.get(i), type, path, errors).validate();
    }
  }

  @Override
  public void onUpdate(ObjectNode limitRange, ObjectNode old, FieldErrors errors) {
    onCreate(limitRange, errors);
  }

  private static void type(String type, FieldPath path, FieldErrors errors) {
    List<String> reasons = NameRules.qualifiedName(type);
    errors.invalid(path, type, reasons);
    if (reasons.isEmpty() && type.indexOf('/') < 0 && !TYPES.contains(type)) {
      errors.invalid(path, type, "must be a standard limit type or fully qualified");
    }
  }

  /// Checks an item of the list.
  private static final class Item {
    private final JsonNode item;
    private final String type;
    private final FieldPath path;
    private final FieldErrors errors;

    Item(JsonNode item, String type, FieldPath path, FieldErrors errors) {
      this.item = item;
      this.type = type;
      this.path = path;
      this.errors = errors;
    }

    void validate() {
      Set<String> names = new TreeSet<>();
      names(names, "max");
      names(names, "min");
      if (type.equals("Pod")) {
        // A default is filled into containers; a pod has none of its own to fill.
        forbidden("default");
        forbidden("defaultRequest");
      } else {
        names(names, "default");
        names(names, "defaultRequest");
      }
      if (type.equals("PersistentVolumeClaim")
          && !item.path("min").has("storage")
          && !item.path("max").has("storage")) {
        errors.required(
            path.child("limits"),
            "either minimum or maximum storage value is required, but neither was provided");
      }
      names(names, "maxLimitRequestRatio");
      names.forEach(this::amounts);
    }

    private void forbidden(String field) {
      if (!item.path(field).isEmpty()) {
        errors.forbidden(path.child(field), "may not be specified when `type` is 'Pod'");
      }
    }

    private void names(Set<String> names, String field) {
      for (String name : ResourceAmounts.of(item.path(field)).names()) {
        FieldPath at = path.child(field).key(name);
        if (type.equals("Pod") || type.equals("Container")) {
          ResourceRules.containerResource(name, at, errors);
        } else {
          ResourceRules.resourceName(name, at, errors);
        }
        names.add(name);
      }
    }

    private @Nullable Quantity amount(String field, String name) {
      boolean ignored = type.equals("Pod") && field.startsWith("default");
      return ignored ? null : ResourceAmounts.of(item.path(field)).get(name);
    }

    /// The order of amounts: min, default request, default limit, max.
    private void amounts(String name) {
      @Nullable Quantity min = amount("min", name);
      @Nullable Quantity max = amount("max", name);
      @Nullable Quantity limit = amount("default", name);
      @Nullable Quantity request = amount("defaultRequest", name);
      // One call for each pair that upstream compares; the last argument is the value that its
      // message shows.
      ordered(name, min, "min", max, "max", "min", min);
      ordered(name, min, "min", request, "default request", "defaultRequest", request);
      ordered(name, request, "default request", max, "max", "defaultRequest", request);
      ordered(name, request, "default request", limit, "default limit", "defaultRequest", request);
      ordered(name, min, "min", limit, "default", "default", min);
      ordered(name, limit, "default", max, "max", "default", max);
      ratio(name, min, max);
      if (limit != null
          && request != null
          && !ResourceNames.mayOvercommit(name)
          && !limit.equals(request)) {
        errors.invalid(
            path.child("defaultRequest").key(name),
            request.toString(),
            "default value %s must equal to defaultRequest value %s in %s"
                .formatted(limit, request, name));
      }
    }

    private void ordered(
        String name,
        @Nullable Quantity small,
        String smallName,
        @Nullable Quantity large,
        String largeName,
        String field,
        @Nullable Quantity shown) {
      if (small != null && large != null && shown != null && small.compareTo(large) > 0) {
        errors.invalid(
            path.child(field).key(name),
            shown.toString(),
            "%s value %s is greater than %s value %s"
                .formatted(smallName, small, largeName, large));
      }
    }

    private void ratio(String name, @Nullable Quantity min, @Nullable Quantity max) {
      @Nullable Quantity ratio = amount("maxLimitRequestRatio", name);
      if (ratio == null) {
        return;
      }
      FieldPath at = path.child("maxLimitRequestRatio").key(name);
      if (ratio.compareTo(ONE) < 0) {
        errors.invalid(at, ratio.toString(), "ratio %s is less than 1".formatted(ratio));
      }
      if (min != null && max != null && min.signum() > 0) {
        // Upstream compares in floating point, too; the printed bound has six digits.
        double largest = max.amount().doubleValue() / min.amount().doubleValue();
        if (ratio.amount().doubleValue() > largest) {
          errors.invalid(
              at,
              ratio.toString(),
              String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", ratio, largest));
        }
      }
    }
  }
}
