package dev.berth.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.discovery.DiscoveryDocuments.Aggregation;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Documents are those of a real API server, without the resources that are not served here.
class DiscoveryDocumentsTest {
  private static final DiscoveryDocuments DISCOVERY =
      new DiscoveryDocuments(ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD));

  /// Groups that the captured server did not serve.
  private static final Set<String> NOT_CAPTURED = Set.of("certificates.k8s.io", "storage.k8s.io");

  private static JsonNode golden = JsonTrees.object();

  @BeforeAll
  static void readGolden() throws IOException {
    try (InputStream in = DiscoveryDocumentsTest.class.getResourceAsStream("golden.json")) {
      golden = JsonTrees.parseTrusted(Objects.requireNonNull(in).readAllBytes());
    }
  }

  /// Without `pods/resize`, which upstream serves only when a gate is open.
  private static JsonNode parse(byte[] body) {
    String text =
        new String(body, StandardCharsets.UTF_8)
            .replaceAll("\\{\"name\":\"pods/resize\"[^]]*\\]\\},", "")
            .replaceAll("\\{\"subresource\":\"resize\"[^]]*\\]\\},", "");
    return JsonTrees.parseTrusted(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(JsonNode node) {
    // One resource per line, so that a difference can be seen.
    return new String(JsonTrees.bytes(node), StandardCharsets.UTF_8)
        .replaceAll("\\{\"(name|resource|subresource)\":", "\n$0");
  }

  @Test
  void resourceListsAreThoseOfUpstream() {
    JsonNode core = parse(DISCOVERY.resourceList("", "v1").orElseThrow());
    assertThat(text(core)).isEqualTo(text(onlyServed(golden.get("core-v1"), core, "name")));
    assertThat(text(parse(DISCOVERY.resourceList("node.k8s.io", "v1").orElseThrow())))
        .isEqualTo(text(golden.get("node-v1")));
  }

  @Test
  void groupsComeInUpstreamsOrder() {
    JsonNode ours = parse(DISCOVERY.groupList());
    assertThat(names(ours.get("groups"), "name"))
        .containsExactly(
            "apps",
            "events.k8s.io",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "batch",
            "certificates.k8s.io",
            "rbac.authorization.k8s.io",
            "storage.k8s.io",
            "scheduling.k8s.io",
            "coordination.k8s.io",
            "node.k8s.io",
            "extensions",
            "metrics.k8s.io");
    assertThat(text(ours.get("groups").get(0)))
        .isEqualTo(text(golden.get("groups").get("groups").get(0)));
    assertThat(text(parse(DISCOVERY.group("apps").orElseThrow())))
        .isEqualTo(text(golden.get("group-apps")));
  }

  @Test
  void versionsComeInTheOrderOfPreference() {
    JsonNode node = parse(DISCOVERY.group("node.k8s.io").orElseThrow());
    assertThat(names(node.get("versions"), "version")).containsExactly("v1", "v1beta1", "v1alpha1");
    assertThat(node.at("/preferredVersion/version").asText()).isEqualTo("v1");
    List<String> versions =
        new ArrayList<>(List.of("v1alpha1", "v10", "v2", "v1", "v1beta2", "v1beta10", "odd"));
    versions.sort(VersionOrder.PREFERRED_FIRST);
    assertThat(versions)
        .containsExactly("v10", "v2", "v1", "v1beta10", "v1beta2", "v1alpha1", "odd");
  }

  @Test
  void aggregatedDocumentsAreThoseOfUpstream() {
    JsonNode core = parse(DISCOVERY.aggregatedCore(Aggregation.V2).body());
    assertThat(text(core)).isEqualTo(text(onlyServedGroups(golden.get("aggregated-api"), core)));
    JsonNode groups = parse(DISCOVERY.aggregatedGroups(Aggregation.V2).body());
    JsonNode expected = onlyServedGroups(golden.get("aggregated-apis"), groups);
    List<JsonNode> known = new ArrayList<>();
    for (JsonNode group : groups.get("items")) {
      if (!NOT_CAPTURED.contains(group.at("/metadata/name").asText())) {
        known.add(group);
      }
    }
    // The last one is node.k8s.io, of which more versions are served here.
    for (int i = 0; i < expected.get("items").size() - 1; i++) {
      assertThat(text(known.get(i))).isEqualTo(text(expected.get("items").get(i)));
    }
  }

  @Test
  void olderAggregationDiffersInItsNameOnly() {
    String newer = text(parse(DISCOVERY.aggregatedGroups(Aggregation.V2).body()));
    String older = text(parse(DISCOVERY.aggregatedGroups(Aggregation.V2BETA1).body()));
    assertThat(older)
        .isEqualTo(newer.replace("apidiscovery.k8s.io/v2", "apidiscovery.k8s.io/v2beta1"));
    assertThat(Aggregation.V2BETA1.mediaType())
        .isEqualTo("application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList");
  }

  @Test
  void coreVersionsNameTheServersAddress() {
    assertThat(new String(DISCOVERY.apiVersions("127.0.0.1:6443"), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],\"serverAddressByClientCIDRs\":"
                + "[{\"clientCIDR\":\"0.0.0.0/0\",\"serverAddress\":\"127.0.0.1:6443\"}]}");
  }

  @Test
  void documentsAreMadeOnceAndTaggedByContent() {
    TaggedDocument first = DISCOVERY.aggregatedCore(Aggregation.V2);
    assertThat(DISCOVERY.aggregatedCore(Aggregation.V2)).isSameAs(first);
    assertThat(first.etag()).matches("\"[0-9A-F]{128}\"");
  }

  @Test
  void unknownGroupsAndVersionsHaveNoDocument() {
    assertThat(DISCOVERY.group("")).isEmpty();
    assertThat(DISCOVERY.group("none.example")).isEmpty();
    assertThat(DISCOVERY.resourceList("apps", "v9")).isEmpty();
    assertThat(DISCOVERY.resourceList("", "v9")).isEmpty();
  }

  @Test
  void oldGroupDoesNotCompeteForShortNames() {
    JsonNode old = parse(DISCOVERY.resourceList("extensions", "v1beta1").orElseThrow());
    assertThat(old.get("resources").get(0).has("shortNames")).isFalse();
  }

  private static JsonNode onlyServedGroups(JsonNode expected, JsonNode ours) {
    ObjectNode filtered = expected.deepCopy();
    for (JsonNode item : filtered.get("items")) {
      String group = item.at("/metadata/name").asText("");
      JsonNode ourItem =
          StreamSupport.stream(ours.get("items").spliterator(), false)
              .filter(candidate -> candidate.at("/metadata/name").asText("").equals(group))
              .findFirst()
              .orElseThrow();
      ArrayNode versions = (ArrayNode) item.get("versions");
      versions.set(0, onlyServed(versions.get(0), ourItem.get("versions").get(0), "resource"));
    }
    return filtered;
  }

  private static JsonNode onlyServed(JsonNode expected, JsonNode ours, String key) {
    Set<String> served = Set.copyOf(names(ours.get("resources"), key));
    ObjectNode filtered = expected.deepCopy();
    ArrayNode kept = filtered.putArray("resources");
    for (JsonNode resource : expected.get("resources")) {
      if (served.contains(resource.get(key).asText())) {
        kept.add(resource);
      }
    }
    return filtered;
  }

  private static List<String> names(JsonNode list, String key) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(entry -> entry.get(key).asText())
        .collect(Collectors.toList());
  }
}
