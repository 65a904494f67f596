package dev.berth.server.validation.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.NameRules;
import java.util.HashSet;
import java.util.Set;

/// The rules of CSINode.
///
/// Upstream's `ValidateCSINode`. `allocatable` may change, which is KEP-4876.
public final class CsiNodeValidation implements KindValidator {
  private static final FieldPath DRIVERS = FieldPath.of("spec").child("drivers");

  /// Upstream's limit of a node id.
  private static final int LONGEST_ID = 192;

  @Override
  public void onCreate(ObjectNode node, FieldErrors errors) {
    Set<String> names = new HashSet<>();
    int index = 0;
    for (JsonNode driver : node.path("spec").path("drivers")) {
      FieldPath path = DRIVERS.index(index++);
      String name = driver.path("name").asText("");
      CsiDriverName.check(name, path.child("name"), errors);
      nodeId(driver.path("nodeID").asText(""), path.child("nodeID"), errors);
      CommonChecks.nonNegative(
          driver.path("allocatable"), path.child("allocatable"), errors, "count");
      if (!names.add(name)) {
        errors.duplicate(path.child("name"), name);
      }
      topologyKeys(driver.path("topologyKeys"), path, errors);
    }
  }

  private static void nodeId(String id, FieldPath path, FieldErrors errors) {
    if (id.isEmpty()) {
      errors.required(path, "");
    }
    if (id.length() > LONGEST_ID) {
      errors.invalid(path, id, "must be %d characters or less".formatted(LONGEST_ID));
    }
  }

  private static void topologyKeys(JsonNode keys, FieldPath path, FieldErrors errors) {
    Set<String> seen = new HashSet<>();
    for (JsonNode one : keys) {
      String key = one.asText("");
      if (key.isEmpty()) {
        errors.required(path, "");
      }
      if (!seen.add(key)) {
        errors.duplicate(path, key);
      }
      errors.invalid(path, key, NameRules.qualifiedName(key));
    }
  }

  /// Checks that a driver comes or goes as a whole: what it says about the node stays, except how
  /// many volumes fit.
  @Override
  public void onUpdate(ObjectNode node, ObjectNode old, FieldErrors errors) {
    for (JsonNode before : old.path("spec").path("drivers")) {
      for (JsonNode driver : node.path("spec").path("drivers")) {
        // Volumes that are attached refer to the node by this id.
        if (driver.path("name").equals(before.path("name")) && !isSame(driver, before)) {
          errors.invalid(FieldPath.of("CSINodeDriver"), driver, CommonChecks.IMMUTABLE);
        }
      }
    }
    onCreate(node, errors);
  }

  private static boolean isSame(JsonNode driver, JsonNode before) {
    return driver.path("nodeID").equals(before.path("nodeID"))
        && driver.path("topologyKeys").equals(before.path("topologyKeys"));
  }
}
