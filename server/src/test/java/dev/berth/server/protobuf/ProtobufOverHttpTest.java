package dev.berth.server.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.TestServer;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client that speaks protobuf only, against a real server.
class ProtobufOverHttpTest {
  private static final String MEDIA_TYPE = ProtobufCodec.MEDIA_TYPE;
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final ObjectSchema SCHEMA = ObjectSchema.load();
  private static final ObjectType CONFIG_MAP = SCHEMA.type("core.v1.ConfigMap");
  private static final ProtobufCodec CODEC = new ProtobufCodec(SCHEMA);

  private static @Nullable TestServer server;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    server = TestServer.start(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  private static TestServer server() {
    return Objects.requireNonNull(server);
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server().url() + path)).header("Accept", MEDIA_TYPE);
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    try (HttpClient client = server().admin()) {
      return client.send(request.build(), BodyHandlers.ofByteArray());
    }
  }

  private static HttpResponse<byte[]> create(String name) throws IOException, InterruptedException {
    ObjectNode object =
        (ObjectNode)
            JsonTrees.parseTrusted(
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"p\":\"b\"}},\"data\":{\"a\":\"b\"}}"
                    .formatted(name)
                    .getBytes(StandardCharsets.UTF_8));
    return send(
        request(CONFIG_MAPS)
            .header("Content-Type", MEDIA_TYPE)
            .POST(BodyPublishers.ofByteArray(CODEC.encode(CONFIG_MAP, object, "v1", "ConfigMap"))));
  }

  @Test
  void objectsAreCreatedReadAndListed() throws IOException, InterruptedException {
    HttpResponse<byte[]> created = create("one");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.headers().firstValue("Content-Type")).contains(MEDIA_TYPE);
    ProtobufEnvelope envelope = CODEC.decode(created.body());
    assertThat(envelope.apiVersion() + " " + envelope.kind()).isEqualTo("v1 ConfigMap");
    ObjectNode object = CODEC.decodeObject(CONFIG_MAP, envelope);
    assertThat(object.at("/data/a").asText()).isEqualTo("b");
    assertThat(object.at("/metadata/uid").asText()).isNotEmpty();
    assertThat(object.at("/metadata/managedFields/0/fieldsV1/f:data/f:a").isObject()).isTrue();

    ProtobufEnvelope list =
        CODEC.decode(send(request(CONFIG_MAPS + "?labelSelector=p%3Db")).body());
    assertThat(list.kind()).isEqualTo("ConfigMapList");
    JsonNode items =
        CODEC.decodeObject(SCHEMA.type("core.v1.ConfigMapList"), list.raw()).get("items");
    assertThat(items.findValuesAsText("name")).contains("one");
  }

  @Test
  void failuresAreStatusesInProtobuf() throws IOException, InterruptedException {
    ProtobufEnvelope envelope = CODEC.decode(send(request(CONFIG_MAPS + "/none")).body());
    assertThat(envelope.kind()).isEqualTo("Status");
    JsonNode status = CODEC.decodeObject(SCHEMA.type("meta.v1.Status"), envelope);
    assertThat(status.get("message").asText()).isEqualTo("configmaps \"none\" not found");
    assertThat(status.get("code").asInt()).isEqualTo(404);
  }

  @Test
  void brokenBodyIsABadRequest() throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        send(
            request(CONFIG_MAPS)
                .header("Content-Type", MEDIA_TYPE)
                .POST(BodyPublishers.ofString("{}")));
    assertThat(answer.statusCode()).isEqualTo(400);
  }

  @Test
  void metadataClientsGetPartialLists() throws IOException, InterruptedException {
    create("partial");
    HttpResponse<byte[]> answer =
        send(
            request(CONFIG_MAPS)
                .setHeader(
                    "Accept", MEDIA_TYPE + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"));
    ProtobufEnvelope list = CODEC.decode(answer.body());
    assertThat(list.apiVersion() + " " + list.kind())
        .isEqualTo("meta.k8s.io/v1 PartialObjectMetadataList");
    JsonNode tree =
        CODEC.decodeObject(SCHEMA.type("meta.v1.PartialObjectMetadataList"), list.raw());
    assertThat(tree.get("items").findValuesAsText("name")).contains("partial");
  }

  @Test
  void watchSendsFrames() throws IOException, InterruptedException {
    create("watched");
    try (HttpClient client = server().admin()) {
      HttpResponse<InputStream> answer =
          client.send(
              request(
                      CONFIG_MAPS
                          + "?watch=1&timeoutSeconds=5&fieldSelector=metadata.name%3Dwatched")
                  .build(),
              BodyHandlers.ofInputStream());
      assertThat(answer.headers().firstValue("Content-Type"))
          .contains(ProtobufCodec.WATCH_MEDIA_TYPE);
      try (DataInputStream in = new DataInputStream(answer.body())) {
        byte[] event = in.readNBytes(in.readInt());
        String text = new String(event, StandardCharsets.UTF_8);
        assertThat(text).contains("ADDED", "k8s\0", "watched");
      }
    }
  }

  @Test
  void deleteOptionsMayBeProtobuf() throws IOException, InterruptedException {
    create("deleted");
    byte[] options =
        CODEC.encode(
            SCHEMA.type("meta.v1.DeleteOptions"),
            JsonTrees.object().put("propagationPolicy", "Background"),
            "v1",
            "DeleteOptions");
    HttpResponse<byte[]> answer =
        send(
            request(CONFIG_MAPS + "/deleted")
                .header("Content-Type", MEDIA_TYPE)
                .method("DELETE", BodyPublishers.ofByteArray(options)));
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode status =
        CODEC.decodeObject(SCHEMA.type("meta.v1.Status"), CODEC.decode(answer.body()));
    assertThat(status.get("status").asText()).isEqualTo("Success");
  }
}
