package dev.berth.server.validation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.IpRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.resources.ResourceRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of Node.
///
/// Fields that other systems refer to, such as `podCIDRs` and `providerID`, may be set once and not
/// changed.
public final class NodeValidation implements KindValidator {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  @Override
  public void onCreate(ObjectNode node, FieldErrors errors) {
    checkTaints(node.path("spec").path("taints"), errors);
    for (String list : new String[] {"capacity", "allocatable"}) {
      for (var amount : node.path("status").path(list).properties()) {
        ResourceRules.quantity(
            amount.getKey(),
            amount.getValue().asText(),
            STATUS.child(list).child(amount.getKey()),
            errors);
      }
    }
    checkRanges(node.path("spec").path("podCIDRs"), errors);
  }

  /// Upstream reports taints below `metadata`, though they are in the spec.
  private static void checkTaints(JsonNode taints, FieldErrors errors) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < taints.size(); i++) {
      FieldPath path = FieldPath.of("metadata").child("taints").index(i);
      JsonNode taint = taints.get(i);
      String key = taint.path("key").asText();
      errors.invalid(path.child("key"), key, NameRules.qualifiedName(key));
      String value = taint.path("value").asText();
      List<String> problems = NameRules.labelValue(value);
      if (!problems.isEmpty()) {
        errors.invalid(path.child("value"), value, String.join(";", problems));
      }
      String effect = taint.path("effect").asText();
      CommonChecks.oneOf(effect, EFFECTS, path.child("effect"), errors);
      if (!seen.add(effect + "\n" + key)) {
        errors.add(
            FieldError.Kind.DUPLICATE,
            path,
            ("Duplicate value: core.Taint{Key:%s, Value:%s, Effect:%s, TimeAdded:<nil>}: taints"
                    + " must be unique by key and effect pair")
                .formatted(GoText.quote(key), GoText.quote(value), GoText.quote(effect)));
      }
    }
  }

  private static void checkRanges(JsonNode ranges, FieldErrors errors) {
    FieldPath path = SPEC.child("podCIDRs");
    boolean ipv4 = false;
    boolean ipv6 = false;
    for (int i = 0; i < ranges.size(); i++) {
      String range = ranges.get(i).asText();
      IpRules.checkRange(range, path.index(i), errors);
      ipv6 |= range.contains(":");
      ipv4 |= !range.contains(":");
    }
    if (ranges.size() > 2 || (ranges.size() == 2 && !(ipv4 && ipv6))) {
      errors.invalidLiteral(
          path,
          GoComposites.stringList(ranges),
          "may specify no more than one CIDR for each IP family");
    }
  }

  @Override
  public void onUpdate(ObjectNode node, ObjectNode old, FieldErrors errors) {
    onCreate(node, errors);
    // On update only, as upstream: a Node may register with any addresses.
    checkAddresses(node.path("status").path("addresses"), errors);
    JsonNode spec = node.path("spec");
    JsonNode oldSpec = old.path("spec");
    JsonNode ranges = oldSpec.path("podCIDRs");
    if (!ranges.isEmpty() && !ranges.equals(spec.path("podCIDRs"))) {
      errors.forbidden(
          SPEC.child("podCIDRs"), "node updates may not change podCIDR except from \"\" to valid");
    }
    String provider = oldSpec.path("providerID").asText();
    // An update of the whole object by an old kubelet, which does not know the id, must not clear
    // it.
    if (!provider.isEmpty() && !provider.equals(spec.path("providerID").asText())) {
      errors.forbidden(
          SPEC.child("providerID"),
          "node updates may not change providerID except from \"\" to valid");
    }
    if (!spec.path("externalID").equals(oldSpec.path("externalID"))) {
      errors.forbidden(SPEC.child("externalID"), "may not be updated");
    }
  }

  private static void checkAddresses(JsonNode addresses, FieldErrors errors) {
    Set<JsonNode> seen = new HashSet<>();
    for (int i = 0; i < addresses.size(); i++) {
      JsonNode address = addresses.get(i);
      if (!seen.add(address)) {
        errors.add(
            FieldError.Kind.DUPLICATE,
            STATUS.child("addresses").index(i),
            "Duplicate value: core.NodeAddress{Type:%s, Address:%s}"
                .formatted(
                    GoComposites.text(address, "type"), GoComposites.text(address, "address")));
      }
    }
  }

  @Override
  public void onStatusUpdate(ObjectNode node, ObjectNode old, FieldErrors errors) {
    onUpdate(node, old, errors);
  }
}
