package dev.berth.cri.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Writes `runtime/v1/api.proto` from the table of the CRI contract.
///
/// Run it as a source file: `java ProtoFromTable.java cri-v1-contract.tsv > api.proto`.
final class ProtoFromTable {
  private static final String HEAD =
      """
      // The container runtime interface, wire-compatible with Kubernetes' runtime.v1 at 1.36.
      // Written by ProtoFromTable.java (test sources) from cri-v1-contract.tsv: change the table, not this file.
      syntax = "proto3";

      package runtime.v1;

      option java_package = "dev.berth.cri.v1";
      option java_multiple_files = true;
      option java_outer_classname = "CriProto";
      """;

  private final List<Row> rows;
  private final StringBuilder out = new StringBuilder(HEAD);

  private ProtoFromTable(List<Row> rows) {
    this.rows = rows;
  }

  static void main(String[] arguments) throws IOException {
    System.out.print(render(Files.readAllLines(Path.of(arguments[0]))));
  }

  static String render(List<String> lines) {
    return new ProtoFromTable(lines.stream().skip(1).map(Row::parse).toList()).write();
  }

  private String write() {
    for (Row row : rows) {
      if (row.parent.isEmpty() && !row.kind.equals("file")) {
        out.append('\n');
        block(row, row.name, "");
      }
    }
    return out.toString();
  }

  private void block(Row head, String fullName, String indent) {
    out.append(indent).append(head.kind).append(' ').append(head.name).append(" {\n");
    for (Row row : rows) {
      if (row.parent.equals(fullName)) {
        member(row, fullName, indent + "  ");
      }
    }
    out.append(indent).append("}\n");
  }

  private void member(Row row, String fullName, String indent) {
    switch (row.kind) {
      case "message", "enum" -> block(row, fullName + "." + row.name, indent);
      case "rpc" -> out.append(indent).append(rpc(row)).append('\n');
      case "enum_value" -> out.append("%s%s = %s;\n".formatted(indent, row.name, row.number));
      case "field" -> out.append(indent).append(field(row)).append('\n');
      default -> throw new IllegalArgumentException("unknown kind in the table: " + row);
    }
  }

  private static String rpc(Row row) {
    String[] types = row.type.split(" -> ", -1);
    String stream = row.label.equals("server_stream") ? "stream " : "";
    return "rpc %s(%s) returns (%s%s) {}".formatted(row.name, types[0], stream, types[1]);
  }

  private static String field(Row row) {
    String repeated = row.label.equals("repeated") ? "repeated " : "";
    String option = row.label.contains("=") ? " [" + row.label.replace("=", " = ") + "]" : "";
    String type = row.type.replace(",", ", ");
    return "%s%s %s = %s%s;".formatted(repeated, type, row.name, row.number, option);
  }

  record Row(String kind, String parent, String name, String number, String type, String label) {
    static Row parse(String line) {
      String[] cells = line.split("\t", -1);
      return new Row(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]);
    }
  }
}
