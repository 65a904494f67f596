package dev.berth.controllers.daemonsets;

import static dev.berth.controllers.TestCluster.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ResourceType;
import dev.berth.controllers.workloads.WorkloadOwner;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DaemonSetHistoryTest {
  private static ObjectNode set(String image) {
    return json(
        """
        {'metadata': {'namespace': 'default', 'name': 'ds', 'uid': 'u', 'annotations':
            {'kubernetes.io/change-cause': 'why', 'kubectl.kubernetes.io/last-applied-configuration': '{}'}},
         'spec': {'selector': {'matchLabels': {'app': 'ds'}}, 'template':
            {'metadata': {'labels': {'app': 'ds'}}, 'spec': {'containers': [{'name': 'c', 'image': '%s'}]}}}}
        """
            .formatted(image));
  }

  private static ObjectNode revision(long number, String hash) {
    ObjectNode revision =
        json(
            "{'metadata':{'name':'ds-"
                + hash
                + "','labels':{'controller-revision-hash':'"
                + hash
                + "'}}}");
    return revision.put("revision", number);
  }

  @Test
  void aRevisionBringsTheTemplateBackAndTellsWhy() {
    WorkloadOwner owner = WorkloadOwner.of(ResourceType.DAEMON_SETS, set("a"));
    ObjectNode made = DaemonSetHistory.make(owner, List.of(revision(4, "x"), revision(7, "y")));

    String hash = DaemonSetHistory.hash(set("a"));
    assertThat(made)
        .isEqualTo(
            json("""
                {'apiVersion': 'apps/v1', 'kind': 'ControllerRevision', 'metadata': {
                    'namespace': 'default', 'name': 'ds-%s', 'labels': {'app': 'ds', 'controller-revision-hash': '%s'},
                    'annotations': {'kubernetes.io/change-cause': 'why'},
                    'ownerReferences': [{'apiVersion': 'apps/v1', 'kind': 'DaemonSet', 'name': 'ds', 'uid': 'u',
                        'controller': true, 'blockOwnerDeletion': true}]},
                 'data': {'spec': {'template': {'metadata': {'labels': {'app': 'ds'}},
                    'spec': {'containers': [{'name': 'c', 'image': 'a'}]}, '$patch': 'replace'}}}}
                """
                    .formatted(hash, hash))
                .put("revision", 8L));
  }

  @Test
  void keysAreSortedAsUpstreamsControllerSortsThem() {
    ObjectNode set =
        json(
            """
            {'spec': {'template': {'spec': {'containers': [{'name': 'c', 'image': 'a', 'Zz': {'b': 1, 'a': null}}],
                'dnsPolicy': 'Default'}, 'metadata': {'labels': {'b': '1', 'B': '2'}, 'creationTimestamp': null}}}}
            """);

    assertThat(DaemonSetHistory.data(set).toString())
        .isEqualTo(
            json("""
                    {'spec': {'template': {'$patch': 'replace', 'metadata': {'creationTimestamp': null,
                        'labels': {'B': '2', 'b': '1'}}, 'spec': {'containers': [{'Zz': {'a': null, 'b': 1},
                        'image': 'a', 'name': 'c'}], 'dnsPolicy': 'Default'}}}}
                    """)
                .toString());
  }

  @Test
  void aLongNameIsCut() {
    ObjectNode set = set("a");
    set.withObject("/metadata").put("name", "x".repeat(253));

    assertThat(
            DaemonSetHistory.make(WorkloadOwner.of(ResourceType.DAEMON_SETS, set), List.of())
                .at("/metadata/name")
                .asText())
        .isEqualTo("x".repeat(223) + "-" + DaemonSetHistory.hash(set));
  }

  @Test
  void theRevisionOfATemplateIsFoundByWhatItHolds() {
    ObjectNode a = revision(1, "upstreams-hash");
    a.set("data", DaemonSetHistory.data(set("a")));
    ObjectNode b = revision(2, "b");
    b.set("data", DaemonSetHistory.data(set("b")));

    assertThat(DaemonSetHistory.find(set("a"), List.of(a, b))).contains(a);
    assertThat(DaemonSetHistory.find(set("c"), List.of(a, b))).isEmpty();
  }

  @Test
  void aRevisionThatLostItsNullsIsStillTheSame() {
    ObjectNode set = set("a");
    set.withObject("/spec")
        .withObject("/template")
        .withObject("/metadata")
        .putNull("creationTimestamp");
    ObjectNode restored = revision(1, "a");
    restored.set("data", DaemonSetHistory.data(set("a")));

    assertThat(DaemonSetHistory.find(set, List.of(restored))).contains(restored);
  }

  @ParameterizedTest
  @CsvSource({
    "a b c, '', 3, ''",
    "a b c, '', 1, a b",
    "a b c, a, 1, b c",
    "a b c, a b c, 0, ''",
  })
  void theOldestThatNoPodHasAreForgotten(String old, String used, int limit, String expected) {
    List<ObjectNode> revisions =
        Arrays.stream(old.split(" ", -1)).map(hash -> revision(hash.charAt(0), hash)).toList();

    List<String> forgotten =
        DaemonSetHistory.forgotten(revisions.reversed(), Set.of(used.split(" ", -1)), limit)
            .stream()
            .map(DaemonSetHistory::hashOf)
            .toList();

    assertThat(String.join(" ", forgotten)).isEqualTo(expected);
  }
}
