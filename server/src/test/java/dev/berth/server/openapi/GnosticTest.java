package dev.berth.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The protobuf form, read back by field numbers.
class GnosticTest {
  private static final ObjectSchema SCHEMA = ObjectSchema.load();

  private static UnknownFieldSet parse(ByteString bytes) throws InvalidProtocolBufferException {
    return UnknownFieldSet.parseFrom(bytes);
  }

  private static UnknownFieldSet child(UnknownFieldSet message, int field)
      throws InvalidProtocolBufferException {
    List<ByteString> values = message.getField(field).getLengthDelimitedList();
    assertThat(values).as("field " + field).hasSize(1);
    return parse(values.getFirst());
  }

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst().toStringUtf8();
  }

  private static UnknownFieldSet named(UnknownFieldSet parent, int field, String name)
      throws InvalidProtocolBufferException {
    for (ByteString entry : parent.getField(field).getLengthDelimitedList()) {
      UnknownFieldSet parsed = parse(entry);
      if (text(parsed, 1).equals(name)) {
        return child(parsed, 2);
      }
    }
    throw new AssertionError("no entry " + name);
  }

  private static Optional<String> extension(UnknownFieldSet parent, int field, String name)
      throws InvalidProtocolBufferException {
    for (ByteString entry : parent.getField(field).getLengthDelimitedList()) {
      UnknownFieldSet parsed = parse(entry);
      if (text(parsed, 1).equals(name)) {
        return Optional.of(text(child(parsed, 2), 2));
      }
    }
    return Optional.empty();
  }

  @Test
  void oldClientsFindSchemasAndPatchParameters() throws InvalidProtocolBufferException {
    OpenApi api =
        new OpenApi(SCHEMA, ServedKinds.standard(SCHEMA, KindOptions.STANDARD), "v1.32.0");
    UnknownFieldSet document = parse(bytes(api.v2Protobuf()));
    assertThat(text(document, 1)).isEqualTo("2.0");

    UnknownFieldSet podSpec = named(child(document, 9), 1, "io.k8s.api.core.v1.PodSpec");
    UnknownFieldSet containers = named(child(podSpec, 25), 1, "containers");
    assertThat(text(child(containers, 22), 1)).isEqualTo("array");
    assertThat(text(child(child(containers, 23), 1), 1))
        .isEqualTo("#/definitions/io.k8s.api.core.v1.Container");
    assertThat(extension(containers, 31, "x-kubernetes-patch-merge-key")).contains("\"name\"");
    UnknownFieldSet labels = named(child(podSpec, 25), 1, "nodeSelector");
    assertThat(text(child(child(child(labels, 21), 1), 22), 1)).isEqualTo("string");

    UnknownFieldSet path =
        named(child(document, 8), 2, "/apis/node.k8s.io/v1/runtimeclasses/{name}");
    UnknownFieldSet patch = child(path, 8);
    assertThat(extension(patch, 13, GroupVersionKind.EXTENSION))
        .contains("{\"group\":\"node.k8s.io\",\"kind\":\"RuntimeClass\",\"version\":\"v1\"}");
    assertThat(queryParameters(patch)).contains("fieldValidation", "dryRun");
    assertThat(named(child(patch, 9), 1, "200").hasField(1)).isTrue();
  }

  private static List<String> queryParameters(UnknownFieldSet operation)
      throws InvalidProtocolBufferException {
    List<String> names = new ArrayList<>();
    for (ByteString item : operation.getField(8).getLengthDelimitedList()) {
      UnknownFieldSet parameter = child(parse(item), 1);
      if (parameter.hasField(2)) {
        names.add(text(child(child(parameter, 2), 3), 4));
      }
    }
    return names;
  }

  private static ByteString bytes(CompressedDocument document) {
    try (InputStream in = document.plain()) {
      return ByteString.readFrom(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
