package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.resources.requests.PatchBody;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.WriteOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// PUT and apply to a name that nothing has, or no longer has.
class MissingObjectsTest {
  private final StoreFixture fixture = new StoreFixture();
  private final ResourceVerbs verbs = fixture.verbs();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource({
    "configmaps, '1'",
    "configmaps, ''",
    "leases.coordination.k8s.io, '1'",
    "leases.coordination.k8s.io, ''"
  })
  void anObjectThatIsGoneIsNotPutBack(String bucket, String version) {
    String stale = "{'metadata':{'name':'x','uid':'u','resourceVersion':'%s'}}".formatted(version);
    assertThatThrownBy(() -> put(bucket, stale))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().reason()).isEqualTo("Conflict"))
        .hasMessage(
            "Operation cannot be fulfilled on %1$s \"x\": StorageError: invalid object, Code: 4,"
                    .formatted(bucket)
                + " Key: /registry/%s/t/x, ResourceVersion: 0, AdditionalErrorMsg:"
                    .formatted(bucket)
                + " Precondition failed: UID in precondition: u, UID in object meta: ");
    assertThat(exists(bucket)).isFalse();
  }

  @Test
  void aRevisionAloneDoesNotKeepAPutFromCreating() {
    String lease = "{'metadata':{'name':'x','resourceVersion':'7'}}";
    assertThat(put("leases.coordination.k8s.io", lease))
        .isInstanceOfSatisfying(
            VerbAnswer.Stored.class, answer -> assertThat(answer.code()).isEqualTo(201));
    assertThatThrownBy(() -> put("configmaps", lease)).hasMessage("configmaps \"x\" not found");
  }

  @Test
  void anApplyOfAnObjectThatIsGoneConflicts() {
    assertThatThrownBy(() -> apply("'name':'x','uid':'abc'"))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status().code()).isEqualTo(409))
        .hasMessage(
            "Operation cannot be fulfilled on configmaps \"x\": uid mismatch: the provided object"
                + " specified uid abc, and no existing object was found");
    assertThat(exists("configmaps")).isFalse();
  }

  @Test
  void anApplyCreatesNothingUnderAnotherNameThanThatOfTheRequest() {
    assertThatThrownBy(() -> apply("'generateName':'y-'"))
        .hasMessage(
            "the name of the object (x based on URL) was undeterminable: name must be provided");
    assertThatThrownBy(() -> apply("'name':'y'"))
        .hasMessage("the name of the object (y) does not match the name on the URL (x)");
    apply("'name':'x','generateName':'y-'");
    assertThat(exists("configmaps")).isTrue();
    apply("'generateName':'y-'");
  }

  private VerbAnswer put(String bucket, String object) {
    return verbs
        .updater()
        .update(
            fixture.target(bucket, "x", ""),
            new RequestBody(json(object), List.of()),
            options(false));
  }

  private void apply(String metadata) {
    String map = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{%s}}".formatted(metadata);
    verbs
        .applier()
        .apply(
            fixture.target("configmaps", "x", ""),
            new PatchBody(PatchBody.Type.APPLY, json(map), List.of()),
            options(true));
  }

  private boolean exists(String bucket) {
    return fixture.store().find(fixture.target(bucket, "x", "").kind(), "t", "x") != null;
  }

  private static WriteOptions options(boolean apply) {
    return WriteOptions.parse(RequestQuery.parse("fieldManager=m"), "test", "PatchOptions", apply);
  }

  private static ObjectNode json(String json) {
    return (ObjectNode)
        JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
