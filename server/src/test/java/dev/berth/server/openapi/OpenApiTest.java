package dev.berth.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Verb;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenApiTest {
  private static final ObjectSchema SCHEMA = ObjectSchema.load();
  private static final ServedKinds KINDS = ServedKinds.standard(SCHEMA, KindOptions.STANDARD);
  private static final OpenApi API = new OpenApi(SCHEMA, KINDS, "v1.32.0");

  private static JsonNode v3(String path) {
    return read(API.v3(path).orElseThrow());
  }

  private static JsonNode schema(JsonNode document, String name) {
    JsonNode schema = document.path("components").path("schemas").path(name);
    assertThat(schema.isObject()).as(name).isTrue();
    return schema;
  }

  private static JsonNode read(CompressedDocument document) {
    try (InputStream in = document.plain()) {
      return JsonTrees.parseTrusted(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void indexNamesEveryDocumentWithItsDigest() {
    JsonNode index = read(API.v3Index());
    JsonNode apps = index.path("paths").path("apis/apps/v1");
    assertThat(apps.path("serverRelativeURL").asText())
        .isEqualTo("/openapi/v3/apis/apps/v1?hash=" + API.v3("apis/apps/v1").orElseThrow().hash());
    assertThat(index.path("paths").fieldNames())
        .toIterable()
        .contains("api", "api/v1", "apis", "apis/apps", "apis/node.k8s.io/v1alpha1", "version");
    assertThat(API.v3("apis/nope/v1")).isEmpty();
    assertThat(API.v3Index().hash()).matches("[0-9A-F]{128}");
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    JsonNode index = read(API.v3Index());
    index
        .path("paths")
        .fieldNames()
        .forEachRemaining(
            path -> {
              JsonNode document = v3(path);
              for (String reference : references(document, new ArrayList<>())) {
                schema(document, reference.substring("#/components/schemas/".length()));
              }
            });
    JsonNode v2 = read(API.v2Json());
    for (String reference : references(v2, new ArrayList<>())) {
      assertThat(v2.path("definitions").has(reference.substring("#/definitions/".length())))
          .as(reference)
          .isTrue();
    }
  }

  private static List<String> references(JsonNode node, List<String> found) {
    if (node.path("$ref").isTextual()) {
      found.add(node.get("$ref").textValue());
    }
    node.forEach(child -> references(child, found));
    return found;
  }

  @Test
  void everyKindCanBePatchedWithServerSideValidation() {
    for (ResourceKind kind : KINDS.all()) {
      if (!kind.verbs().contains(Verb.PATCH)) {
        continue;
      }
      for (ServedVersion served : kind.versions()) {
        String base = OpenApiNames.path(served.group(), served.version());
        JsonNode patch =
            v3(base.substring(1))
                .path("paths")
                .path(
                    base
                        + (kind.namespaced() ? "/namespaces/{namespace}/" : "/")
                        + kind.names().plural()
                        + "/{name}")
                .path("patch");
        assertThat(patch.path("parameters").findValuesAsText("name")).contains("fieldValidation");
        assertThat(patch.at("/requestBody/content").fieldNames())
            .toIterable()
            .contains("application/strategic-merge-patch+json", "application/apply-patch+yaml");
        assertThat(patch.path(GroupVersionKind.EXTENSION).path("kind").asText())
            .isEqualTo(kind.names().kind());
      }
    }
  }

  @Test
  void definitionsCarryEverythingThatMergingNeeds() {
    JsonNode containers =
        schema(v3("api/v1"), "io.k8s.api.core.v1.PodSpec").path("properties").path("containers");
    assertThat(containers.path("x-kubernetes-patch-merge-key").asText()).isEqualTo("name");
    assertThat(containers.path("x-kubernetes-patch-strategy").asText()).isEqualTo("merge");
    assertThat(containers.path("x-kubernetes-list-type").asText()).isEqualTo("map");
    assertThat(containers.path("x-kubernetes-list-map-keys").toString()).isEqualTo("[\"name\"]");
    JsonNode volumes =
        schema(v3("api/v1"), "io.k8s.api.core.v1.PodSpec").path("properties").path("volumes");
    assertThat(volumes.path("x-kubernetes-patch-strategy").asText()).isEqualTo("merge,retainKeys");
    JsonNode selector =
        schema(v3("apis/apps/v1"), "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector");
    assertThat(selector.path("x-kubernetes-map-type").asText()).isEqualTo("atomic");
  }

  @Test
  void scalarsHaveTheirUpstreamForms() {
    JsonNode core = v3("api/v1");
    assertThat(
            schema(core, "io.k8s.apimachinery.pkg.util.intstr.IntOrString")
                .path("oneOf")
                .toString())
        .isEqualTo("[{\"type\":\"integer\"},{\"type\":\"string\"}]");
    assertThat(schema(core, "io.k8s.api.core.v1.Secret").at("/properties/data").toString())
        .contains("{\"type\":\"string\",\"format\":\"byte\"}");
    assertThat(schema(core, "io.k8s.api.core.v1.Pod").at("/properties/spec").toString())
        .isEqualTo(
            "{\"allOf\":[{\"$ref\":\"#/components/schemas/io.k8s.api.core.v1.PodSpec\"}],"
                + "\"description\":\"What should run.\",\"default\":{}}");
    JsonNode v2 = read(API.v2Json());
    assertThat(v2.at("/definitions/io.k8s.api.core.v1.Pod/properties/spec").toString())
        .isEqualTo(
            "{\"$ref\":\"#/definitions/io.k8s.api.core.v1.PodSpec\","
                + "\"description\":\"What should run.\"}");
  }

  @Test
  void runtimeClassIsExplainedInAllVersions() {
    for (String version : List.of("v1", "v1beta1", "v1alpha1")) {
      JsonNode document = v3("apis/node.k8s.io/" + version);
      String prefix = "io.k8s.api.node." + version + ".";
      for (String name : List.of("RuntimeClass", "Overhead", "Scheduling")) {
        JsonNode type = schema(document, prefix + name);
        assertThat(type.path("description").asText()).isNotEmpty();
        type.path("properties")
            .forEach(field -> assertThat(field.path("description").asText()).isNotEmpty());
      }
      assertThat(
              schema(document, prefix + "RuntimeClass").path(GroupVersionKind.EXTENSION).toString())
          .isEqualTo(
              "[{\"group\":\"node.k8s.io\",\"kind\":\"RuntimeClass\",\"version\":\""
                  + version
                  + "\"}]");
    }
  }

  @Test
  void mostUsedTypesAreExplainedCompletely() {
    OpenApiDescriptions descriptions = OpenApiDescriptions.load();
    for (String name :
        List.of(
            "meta.v1.ObjectMeta",
            "core.v1.PodSpec",
            "core.v1.Container",
            "core.v1.VirtualMachine",
            "core.v1.Nic",
            "apps.v1.DeploymentSpec",
            "core.v1.NodeSpec",
            "coordination.v1.LeaseSpec",
            "meta.v1.Status")) {
      for (SchemaField field : SCHEMA.type(name).fields()) {
        assertThat(descriptions.ofField(name, field.name()))
            .as(name + "." + field.name())
            .isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "authentication.v1.SelfSubjectReview",
        "authentication.v1.TokenReview",
        "authorization.v1.SubjectAccessReview",
        "authorization.v1.LocalSubjectAccessReview",
        "authorization.v1.SelfSubjectAccessReview",
        "authorization.v1.SelfSubjectRulesReview",
      })
  void reviewsAreExplainedWithAllTheyAreMadeOf(String review) {
    OpenApiDescriptions descriptions = OpenApiDescriptions.load();
    Deque<ObjectType> left = new ArrayDeque<>(List.of(SCHEMA.type(review)));
    while (!left.isEmpty()) {
      ObjectType type = left.pop();
      assertThat(descriptions.ofType(type.name())).as(type.name()).isNotEmpty();
      for (SchemaField field : type.fields()) {
        assertThat(descriptions.ofField(type.name(), field.name()))
            .as(type.name() + "." + field.name())
            .isNotEmpty();
        if (element(field.shape()) instanceof ValueShape.Struct(ObjectType inner)
            && inner.name().startsWith("auth")) {
          left.push(inner);
        }
      }
    }
  }

  private static ValueShape element(ValueShape shape) {
    return shape instanceof ValueShape.ListOf(ValueShape element) ? element : shape;
  }

  @Test
  void descriptionsAreAboutFieldsThatExist() {
    for (String key : OpenApiDescriptions.load().all().keySet()) {
      String[] parts = key.split(" ", -1);
      if (parts[0].equals("*")) {
        continue;
      }
      ObjectType type = SCHEMA.type(parts[0]);
      assertThat(parts[1].isEmpty() || type.field(parts[1]) != null).as(key).isTrue();
    }
  }

  @Test
  void oldGroupSharesTheDefinitionOfTheNewOne() {
    JsonNode document = v3("apis/extensions/v1beta1");
    assertThat(
            schema(document, "io.k8s.api.apps.v1.Deployment")
                .path(GroupVersionKind.EXTENSION)
                .toString())
        .contains("\"extensions\"")
        .contains("\"apps\"");
  }

  @Test
  void compressedFormIsSmall() {
    assertThat(API.v2Json().gzip().length).isLessThan(200_000);
    assertThat(API.v3("api/v1").orElseThrow().gzip().length).isLessThan(120_000);
  }
}
