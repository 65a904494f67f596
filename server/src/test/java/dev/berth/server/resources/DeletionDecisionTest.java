package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.requests.DeleteOptions;
import dev.berth.server.schema.ObjectSchema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeletionDecisionTest {
  private static final ServedKinds KINDS =
      ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD);
  private static final ResourceKind PODS = KINDS.bucket("pods").orElseThrow();
  private static final ResourceKind CONFIG_MAPS = KINDS.bucket("configmaps").orElseThrow();
  private static final ResourceKind NAMESPACES = KINDS.bucket("namespaces").orElseThrow();
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void anObjectThatNothingHoldsIsRemoved() {
    assertThat(plan(CONFIG_MAPS, "{'metadata':{'name':'a'}}", options(null)))
        .isInstanceOf(DeletionDecision.Plan.Remove.class);
  }

  @Test
  void finalizersKeepAnObjectWithItsMark() {
    ObjectNode kept =
        kept(plan(CONFIG_MAPS, "{'metadata':{'name':'a','finalizers':['x/y']}}", options(null)));
    assertThat(kept.path("metadata").path("deletionTimestamp").asText())
        .isEqualTo("2026-01-01T00:00:00Z");
    assertThat(kept.path("metadata").path("deletionGracePeriodSeconds").asInt()).isZero();
  }

  @Test
  void aRunningPodGetsTheTimeItAskedFor() {
    ObjectNode kept = kept(plan(PODS, RUNNING, options(null)));
    assertThat(kept.path("metadata").path("deletionTimestamp").asText())
        .isEqualTo("2026-01-01T00:00:30Z");
  }

  @Test
  void aPodThatRunsNowhereGoesAtOnce() {
    assertThat(plan(PODS, "{'metadata':{'name':'a'},'spec':{}}", options(null)))
        .isInstanceOf(DeletionDecision.Plan.Remove.class);
  }

  @Test
  void aSecondRequestMayOnlyShortenTheTime() {
    ObjectNode first = kept(plan(PODS, RUNNING, options(30L)));
    assertThat(DeletionDecision.plan(PODS, first, options(60L), NOW))
        .isInstanceOf(DeletionDecision.Plan.Unchanged.class);
    ObjectNode shorter = kept(DeletionDecision.plan(PODS, first, options(5L), NOW));
    assertThat(shorter.path("metadata").path("deletionTimestamp").asText())
        .isEqualTo("2026-01-01T00:00:05Z");
    assertThat(DeletionDecision.plan(PODS, shorter, options(0L), NOW))
        .isInstanceOf(DeletionDecision.Plan.Remove.class);
  }

  @Test
  void aSecondRequestWithoutATimeLeavesTheFirstAlone() {
    ObjectNode first = kept(plan(PODS, RUNNING, options(60L)));
    assertThat(DeletionDecision.plan(PODS, first, options(null), NOW))
        .isInstanceOf(DeletionDecision.Plan.Unchanged.class);
    first.withObjectProperty("status").put("phase", "Failed");
    assertThat(DeletionDecision.plan(PODS, first, options(null), NOW))
        .isInstanceOf(DeletionDecision.Plan.Unchanged.class);
  }

  @Test
  void aNamespaceWaitsForItsContents() {
    ObjectNode kept =
        kept(
            plan(
                NAMESPACES,
                "{'metadata':{'name':'a'},'spec':{'finalizers':['kubernetes']},'status':{'phase':'Active'}}",
                options(null)));
    assertThat(kept.path("status").path("phase").asText()).isEqualTo("Terminating");
    assertThat(kept.path("metadata").has("deletionGracePeriodSeconds")).isFalse();
    ((ObjectNode) kept.path("spec")).remove("finalizers");
    assertThat(DeletionDecision.isComplete(NAMESPACES, kept)).isTrue();
  }

  private static final String RUNNING =
      "{'metadata':{'name':'a'},'spec':{'nodeName':'n','terminationGracePeriodSeconds':30}}";

  private static DeleteOptions options(@Nullable Long grace) {
    return new DeleteOptions(
        Optional.ofNullable(grace),
        "",
        "",
        DeleteOptions.Propagation.UNSET,
        Optional.empty(),
        false,
        false);
  }

  private static DeletionDecision.Plan plan(ResourceKind kind, String json, DeleteOptions options) {
    ObjectNode object =
        (ObjectNode)
            JsonTrees.parseTrusted(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    return DeletionDecision.plan(kind, object, options, NOW);
  }

  private static ObjectNode kept(DeletionDecision.Plan plan) {
    return ((DeletionDecision.Plan.Keep) plan).object();
  }
}
