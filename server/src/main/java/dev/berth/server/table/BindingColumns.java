package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// The table of role bindings and cluster role bindings.
final class BindingColumns {
  private BindingColumns() {}

  static KindColumns sheet() {
    return ColumnSheet.named()
        .text(
            "Role",
            "What the subjects may do.",
            object ->
                TableCells.text(object, "roleRef", "kind")
                    + "/"
                    + TableCells.text(object, "roleRef", "name"))
        .age()
        .wide("Users", "Users who may.", object -> subjects(object, "User"))
        .wide("Groups", "Groups whose members may.", object -> subjects(object, "Group"))
        .wide(
            "ServiceAccounts",
            "Service accounts that may.",
            object -> subjects(object, "ServiceAccount"));
  }

  private static String subjects(ObjectNode binding, String kind) {
    List<String> names = new ArrayList<>();
    for (JsonNode subject : binding.path("subjects")) {
      if (TableCells.text(subject, "kind").equals(kind)) {
        String name = TableCells.text(subject, "name");
        names.add(
            kind.equals("ServiceAccount")
                ? TableCells.text(subject, "namespace") + "/" + name
                : name);
      }
    }
    return String.join(", ", names);
  }
}
