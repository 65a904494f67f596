package dev.berth.server.resources.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.ResourceVerbs;
import dev.berth.server.resources.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Patches with a field of another version of the kind name the version that has the field.
class OtherVersionsPatchTest {
  private static final String V1ALPHA1_HAS_IT =
      " (it is a field of apiVersion node.k8s.io/v1alpha1; this is node.k8s.io/v1)";
  private static final String OTHERS_HAVE_IT =
      " (it is a field of apiVersion node.k8s.io/v1, node.k8s.io/v1beta1; this is"
          + " node.k8s.io/v1alpha1)";

  private final StoreFixture fixture = new StoreFixture();
  private final ResourceVerbs verbs = fixture.verbs();

  @BeforeEach
  void createClass() {
    JsonNode runtimeClass = json("{'metadata':{'name':'c'},'handler':'runc'}");
    verbs
        .creator()
        .create(
            target("v1", ""), new RequestBody((ObjectNode) runtimeClass, List.of()), options(""));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1 | MERGE | {'spec':{'runtimeHandler':'x'}}",
        "v1 | STRATEGIC | {'spec':{'runtimeHandler':'x'}}",
        "v1 | JSON | [{'op':'add','path':'/spec','value':{'runtimeHandler':'x'}}]",
        "v1alpha1 | MERGE | {'handler':'x'}",
        "v1alpha1 | STRATEGIC | {'handler':'x'}",
        "v1alpha1 | JSON | [{'op':'add','path':'/handler','value':'x'}]",
      })
  void aPatchedFieldOfAnotherVersionIsExplained(String version, PatchBody.Type type, String patch) {
    String problem =
        version.equals("v1")
            ? "unknown field \"spec\"" + V1ALPHA1_HAS_IT
            : "unknown field \"handler\"" + OTHERS_HAVE_IT;
    RequestTarget target = target(version, "c");

    verbs.patcher().patch(target, body(type, patch), options("fieldValidation=Warn"));
    assertThat(target.warnings().texts()).containsExactly(problem);

    assertThatThrownBy(
            () ->
                verbs.patcher().patch(target, body(type, patch), options("fieldValidation=Strict")))
        .hasMessageEndingWith("strict decoding error: " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "v1 | [{'op':'replace','path':'/spec/runtimeHandler','value':'x'}] | spec.runtimeHandler",
        "v1 | [{'op':'test','path':'/spec/tolerations/0/key','value':'x'}] | -",
        "v1 | [{'op':'remove','path':'/spec/scheduling/tolerations/0/key'}]"
            + " | spec.scheduling.tolerations.key",
        "v1 | [{'op':'replace','path':'/overhead/podFixed','value':{}}] | -",
      })
  void anOperationThatDoesNotApplyIsExplained(
      String version, String patch, @Nullable String field) {
    String rejected = "the server rejected our request due to an error in our request";

    assertThatThrownBy(
            () ->
                verbs
                    .patcher()
                    .patch(target(version, "c"), body(PatchBody.Type.JSON, patch), options("")))
        .hasMessage(
            field == null
                ? rejected
                : rejected + ": unknown field \"" + field + "\"" + V1ALPHA1_HAS_IT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1 | 'spec':{'runtimeHandler':'x'} | spec",
        "v1alpha1 | 'spec':{'runtimeHandler':'x'},'handler':'x' | handler",
      })
  void anAppliedFieldOfAnotherVersionIsExplained(String version, String fields, String field) {
    for (String name : List.of("c", "new")) {
      assertThatThrownBy(() -> apply(version, name, fields))
          .hasMessage(
              ("failed to create typed patch object (/%s; node.k8s.io/%s, Kind=RuntimeClass):"
                      + " .%s: field not declared in schema%s")
                  .formatted(
                      name,
                      version,
                      field,
                      version.equals("v1") ? V1ALPHA1_HAS_IT : OTHERS_HAVE_IT));
    }
  }

  @Test
  void anAppliedFieldOfNoVersionIsRefusedInUpstreamsWords() {
    assertThatThrownBy(() -> apply("v1", "c", "'handlr':'x'"))
        .hasMessageEndingWith(": .handlr: field not declared in schema");
  }

  private void apply(String version, String name, String fields) {
    String config =
        "{'apiVersion':'node.k8s.io/%s','kind':'RuntimeClass','metadata':{'name':'%s'},%s}"
            .formatted(version, name, fields);
    verbs
        .applier()
        .apply(
            target(version, name),
            body(PatchBody.Type.APPLY, config),
            options("fieldManager=m&force=true"));
  }

  private RequestTarget target(String version, String name) {
    ResourceKind kind =
        fixture.kinds().resource("node.k8s.io", version, "runtimeclasses").orElseThrow();
    return new RequestTarget(
        kind,
        kind.served("node.k8s.io", version).orElseThrow(),
        "",
        name,
        "",
        UserInfo.of("test"),
        new AdmissionWarnings(),
        Instant.EPOCH);
  }

  private static PatchBody body(PatchBody.Type type, String patch) {
    return new PatchBody(type, json(patch), List.of());
  }

  private static WriteOptions options(String query) {
    return WriteOptions.parse(
        RequestQuery.parse(query), "test", "PatchOptions", query.contains("force"));
  }

  private static JsonNode json(String json) {
    return JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
