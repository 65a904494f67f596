package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.WorkloadType;
import dev.berth.server.validation.GoText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Formats the difference between two pod specifications like upstream's message about forbidden
/// updates.
///
/// The outer fields of the specification match upstream's output exactly; types of inner values are
/// omitted.
///
/// Upstream prints the difference with go-cmp; users read in it which field they must not change.
/// An instance makes one text.
final class PodSpecDiff {
  /// Unchanged lines around a change, as in upstream's diff.
  private static final int CONTEXT = 2;

  private static final String TEXT = "string";
  private static final String POINTER = "*";

  /// Upstream's fields in upstream's order: name, field in JSON, type.
  // A field that is missing here would be missing in the difference: a new field of the schema
  // needs a line.
  private static final List<Column> SPEC =
      List.of(
          new Column("Volumes", "volumes", "[]core.Volume"),
          new Column("InitContainers", "initContainers", "[]core.Container"),
          new Column("Containers", "containers", "[]core.Container"),
          new Column("EphemeralContainers", "ephemeralContainers", "[]core.EphemeralContainer"),
          new Column("RestartPolicy", "restartPolicy", TEXT),
          new Column("TerminationGracePeriodSeconds", "terminationGracePeriodSeconds", POINTER),
          new Column("ActiveDeadlineSeconds", "activeDeadlineSeconds", POINTER),
          new Column("DNSPolicy", "dnsPolicy", TEXT),
          new Column("NodeSelector", "nodeSelector", "map[string]string"),
          new Column("ServiceAccountName", "serviceAccountName", TEXT),
          new Column("AutomountServiceAccountToken", "automountServiceAccountToken", POINTER),
          new Column("NodeName", "nodeName", TEXT),
          new Column("SecurityContext", "securityContext", "&core.PodSecurityContext"),
          new Column("ImagePullSecrets", "imagePullSecrets", "[]core.LocalObjectReference"),
          new Column("Hostname", "hostname", TEXT),
          new Column("Subdomain", "subdomain", TEXT),
          new Column("SetHostnameAsFQDN", "setHostnameAsFQDN", POINTER),
          new Column("Affinity", "affinity", "&core.Affinity"),
          new Column("SchedulerName", "schedulerName", TEXT),
          new Column("Tolerations", "tolerations", "[]core.Toleration"),
          new Column("HostAliases", "hostAliases", "[]core.HostAlias"),
          new Column("PriorityClassName", "priorityClassName", TEXT),
          new Column("Priority", "priority", POINTER),
          new Column("PreemptionPolicy", "preemptionPolicy", POINTER),
          new Column("DNSConfig", "dnsConfig", "&core.PodDNSConfig"),
          new Column("ReadinessGates", "readinessGates", "[]core.PodReadinessGate"),
          new Column("RuntimeClassName", "runtimeClassName", POINTER),
          new Column("Overhead", "overhead", "core.ResourceList"),
          new Column("EnableServiceLinks", "enableServiceLinks", POINTER),
          new Column(
              "TopologySpreadConstraints",
              "topologySpreadConstraints",
              "[]core.TopologySpreadConstraint"),
          new Column("OS", "os", "&core.PodOS"),
          new Column("SchedulingGates", "schedulingGates", "[]core.PodSchedulingGate"),
          new Column("ResourceClaims", "resourceClaims", "[]core.PodResourceClaim"),
          new Column("Resources", "resources", "&core.ResourceRequirements"));

  /// Fields that upstream keeps in the security context.
  private static final List<String> IN_SECURITY_CONTEXT =
      List.of("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers");

  private static final List<String> OF_BERTH = fieldsOfBerth();

  private final List<Row> rows = new ArrayList<>();

  private PodSpecDiff() {}

  private record Column(String name, String field, String type) {}

  private record Difference(Column column, JsonNode old, JsonNode now) {
    boolean isEqual() {
      return PodUpdateRules.same(old, now);
    }
  }

  /// A line of the text; lines with a key that follow each other are aligned.
  private record Row(char mark, int depth, String key, String value) {}

  private static List<String> fieldsOfBerth() {
    List<String> fields = new ArrayList<>();
    fields.add(PodRuntime.SERVICE_FIELD);
    fields.add(PodPlatform.VERSION_FIELD);
    fields.add(PodPlatform.ARCHITECTURE_FIELD);
    WorkloadType.withField().forEach(type -> fields.add(type.field()));
    fields.addAll(List.of("vpc", "nics"));
    return List.copyOf(fields);
  }

  static String ofSpecs(JsonNode old, JsonNode now) {
    JsonNode before = internal(old);
    JsonNode after = internal(now);
    List<Difference> fields = new ArrayList<>();
    SPEC.forEach(column -> fields.add(difference(column, before, after)));
    for (String field : OF_BERTH) {
      if (before.has(field) || after.has(field)) {
        fields.add(difference(new Column(capital(field), field, ""), before, after));
      }
    }
    return of("core.PodSpec", fields);
  }

  static String of(String type, JsonNode old, JsonNode now) {
    return of(type, fields(old, now));
  }

  private static String of(String type, List<Difference> fields) {
    PodSpecDiff diff = new PodSpecDiff();
    diff.rows.add(new Row(' ', 0, "", type + "{"));
    diff.fields(fields, "fields", 1);
    diff.rows.add(new Row(' ', 0, "", "}"));
    return diff.text();
  }

  // Upstream compares objects of its internal version, whose security context has these fields.
  private static JsonNode internal(JsonNode spec) {
    ObjectNode internal = spec.deepCopy();
    for (String field : IN_SECURITY_CONTEXT) {
      JsonNode value = internal.remove(field);
      if (value != null) {
        internal.withObjectProperty("securityContext").set(field, value);
      }
    }
    return internal;
  }

  private static List<Difference> fields(JsonNode old, JsonNode now) {
    Set<String> names = new LinkedHashSet<>();
    old.fieldNames().forEachRemaining(names::add);
    now.fieldNames().forEachRemaining(names::add);
    List<Difference> fields = new ArrayList<>();
    names.forEach(name -> fields.add(difference(new Column(capital(name), name, ""), old, now)));
    return fields;
  }

  private static Difference difference(Column column, JsonNode old, JsonNode now) {
    return new Difference(column, old.path(column.field()), now.path(column.field()));
  }

  private static String capital(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /// Prints changes with two unchanged fields before and after, and the number of those left out.
  private void fields(List<Difference> fields, String plural, int depth) {
    int i = 0;
    while (i < fields.size()) {
      int end = i;
      while (end < fields.size() && fields.get(end).isEqual()) {
        end++;
      }
      equal(fields.subList(i, end), i > 0, end < fields.size(), plural, depth);
      i = end;
      for (; i < fields.size() && !fields.get(i).isEqual(); i++) {
        changed(fields.get(i), depth);
      }
    }
  }

  private void equal(
      List<Difference> same, boolean changeBefore, boolean changeAfter, String plural, int depth) {
    int leading = changeBefore ? Math.min(CONTEXT, same.size()) : 0;
    int trailing = changeAfter ? Math.min(CONTEXT, same.size() - leading) : 0;
    // A single field is printed instead of a line that says that one was left out.
    if (same.size() - leading - trailing == 1) {
      trailing++;
    }
    int hidden = same.size() - leading - trailing;
    same.subList(0, leading).forEach(field -> row(' ', field.column(), field.old(), depth, true));
    if (hidden > 0) {
      rows.add(new Row(' ', depth, "", "... // " + hidden + " identical " + plural));
    }
    same.subList(same.size() - trailing, same.size())
        .forEach(field -> row(' ', field.column(), field.old(), depth, true));
  }

  private void changed(Difference field, int depth) {
    Column column = field.column();
    boolean objects = field.old().isObject() && field.now().isObject();
    boolean lists =
        field.old().isArray() && field.now().isArray() && field.old().size() == field.now().size();
    if (!objects && !lists) {
      row('-', column, field.old(), depth, false);
      row('+', column, field.now(), depth, false);
      return;
    }
    String key = column.name().isEmpty() ? "" : column.name() + ": ";
    rows.add(new Row(' ', depth, "", key + column.type() + "{"));
    if (objects) {
      fields(fields(field.old(), field.now()), "fields", depth + 1);
    } else {
      List<Difference> elements = new ArrayList<>();
      for (int i = 0; i < field.old().size(); i++) {
        elements.add(
            new Difference(new Column("", "", ""), field.old().get(i), field.now().get(i)));
      }
      fields(elements, "elements", depth + 1);
    }
    rows.add(new Row(' ', depth, "", "},"));
  }

  private void row(char mark, Column column, JsonNode value, int depth, boolean brief) {
    rows.add(new Row(mark, depth, column.name(), literal(column.type(), value, brief) + ","));
  }

  private static String literal(String type, JsonNode value, boolean brief) {
    if (value.isMissingNode() || value.isNull()) {
      return type.equals(TEXT) ? "\"\"" : "nil";
    }
    if (!value.isContainerNode()) {
      return type.equals(POINTER) ? "&" + GoText.of(value) : GoText.of(value);
    }
    if (brief) {
      return (type.startsWith("&") ? "&" : "") + (value.isEmpty() ? "{}" : "{...}");
    }
    List<String> parts = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(element -> parts.add(literal("", element, false)));
    } else {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        boolean map = type.startsWith("map") || type.equals("core.ResourceList");
        String key = map ? GoText.quote(entry.getKey()) : capital(entry.getKey());
        parts.add(key + ": " + literal("", entry.getValue(), false));
      }
    }
    return type + "{" + String.join(", ", parts) + "}";
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    int i = 0;
    while (i < rows.size()) {
      int end = i;
      int width = 0;
      while (end < rows.size() && !rows.get(end).key().isEmpty()) {
        width = Math.max(width, rows.get(end).key().length() + 2);
        end++;
      }
      end = Math.max(end, i + 1);
      for (Row row : rows.subList(i, end)) {
        text.append(row.mark()).append(' ').append("\t".repeat(row.depth()));
        if (!row.key().isEmpty()) {
          String key = row.key() + ":";
          text.append(key).append(" ".repeat(width - key.length()));
        }
        text.append(row.value()).append('\n');
      }
      i = end;
    }
    return text.toString();
  }
}
