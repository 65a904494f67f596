package dev.berth.cri.contract;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A compiled descriptor told as rows of the contract's table: kind, parent, name, number, type,
/// label.
final class DescriptorRows {
  private final String packagePrefix;
  private final List<String> rows = new ArrayList<>();

  private DescriptorRows(FileDescriptor file) {
    packagePrefix = file.getPackage() + ".";
  }

  static List<String> of(FileDescriptor file) {
    var rows = new DescriptorRows(file);
    rows.add("file", "", file.getPackage(), "", "proto3", "");
    file.getServices().forEach(rows::service);
    file.getMessageTypes().forEach(rows::message);
    file.getEnumTypes().forEach(rows::enumeration);
    return rows.rows;
  }

  private void service(ServiceDescriptor service) {
    add("service", "", service.getName(), "", "", "");
    for (MethodDescriptor method : service.getMethods()) {
      String types = inside(method.getInputType().getFullName()) + " -> ";
      types += inside(method.getOutputType().getFullName());
      String label = method.isClientStreaming() ? "client_stream" : "unary";
      label = method.isServerStreaming() ? "server_stream" : label;
      add("rpc", service.getName(), method.getName(), "", types, label);
    }
  }

  private void message(Descriptor message) {
    if (message.getOptions().getMapEntry()) {
      return;
    }
    add("message", parent(message.getContainingType()), message.getName(), "", "", "");
    message.getFields().forEach(this::field);
    message.getNestedTypes().forEach(this::message);
    message.getEnumTypes().forEach(this::enumeration);
  }

  private void enumeration(EnumDescriptor type) {
    add("enum", parent(type.getContainingType()), type.getName(), "", "", "");
    for (EnumValueDescriptor value : type.getValues()) {
      String parent = inside(type.getFullName());
      add("enum_value", parent, value.getName(), String.valueOf(value.getNumber()), "", "");
    }
  }

  private void field(FieldDescriptor field) {
    String label = field.isRepeated() ? "repeated" : "";
    label = field.isMapField() ? "map" : label;
    label += field.getOptions().getDeprecated() ? "deprecated=true" : "";
    label += field.getOptions().getDebugRedact() ? "debug_redact=true" : "";
    label += field.getRealContainingOneof() != null ? "oneof" : "";
    label +=
        field.hasPresence() && field.getJavaType() != FieldDescriptor.JavaType.MESSAGE
            ? "optional"
            : "";
    String parent = inside(field.getContainingType().getFullName());
    add("field", parent, field.getName(), String.valueOf(field.getNumber()), type(field), label);
  }

  private String type(FieldDescriptor field) {
    if (field.isMapField()) {
      Descriptor entry = field.getMessageType();
      return "map<%s,%s>"
          .formatted(type(entry.findFieldByNumber(1)), type(entry.findFieldByNumber(2)));
    }
    return switch (field.getJavaType()) {
      case MESSAGE -> inside(field.getMessageType().getFullName());
      case ENUM -> field.getEnumType().getName();
      case INT, LONG, FLOAT, DOUBLE, BOOLEAN, STRING, BYTE_STRING ->
          field.getType().name().toLowerCase(Locale.ROOT);
    };
  }

  private String parent(Descriptor containing) {
    return containing == null ? "" : inside(containing.getFullName());
  }

  private String inside(String fullName) {
    return fullName.substring(packagePrefix.length());
  }

  private void add(String... cells) {
    rows.add(String.join("\t", cells));
  }
}
