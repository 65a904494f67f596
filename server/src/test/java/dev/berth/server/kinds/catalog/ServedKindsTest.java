package dev.berth.server.kinds.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ResourceKind.Behaviour;
import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.Verb;
import dev.berth.server.schema.ObjectSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ServedKindsTest {
  private final ServedKinds kinds = ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD);

  @Test
  void discoveryRowsAreThoseOfUpstream() throws IOException {
    Set<String> ours = Set.copyOf(rows());
    List<String> upstream =
        facts().stream().filter(row -> ours.stream().anyMatch(our -> sameName(our, row))).toList();
    List<String> unknownUpstream =
        ours.stream()
            .filter(row -> !row.startsWith("extensions/"))
            .filter(row -> !row.matches("node.k8s.io/v1(alpha|beta)1\t.*"))
            .sorted()
            .toList();
    assertThat(unknownUpstream).containsExactlyElementsOf(upstream.stream().sorted().toList());
  }

  @Test
  void everyKindIsFoundByItsNames() {
    assertThat(kinds.resource("node.k8s.io", "v1alpha1", "runtimeclasses"))
        .isEqualTo(kinds.kind("node.k8s.io", "v1", "RuntimeClass"))
        .isNotEmpty();
    assertThat(kinds.resource("extensions", "v1beta1", "deployments"))
        .isEqualTo(kinds.bucket("deployments.apps"))
        .isNotEmpty();
    assertThat(kinds.resource("", "v1", "replicationcontrollers")).isEmpty();
  }

  @Test
  void kindsDifferInHowTheyAreWrittenAndDeleted() {
    assertThat(with(Behaviour::createOnUpdate))
        .containsExactlyInAnyOrder(
            "Service",
            "Endpoints",
            "Event",
            "Lease",
            "LimitRange",
            "RuntimeClass",
            "ClusterRole",
            "ClusterRoleBinding",
            "Role",
            "RoleBinding");
    assertThat(with(behaviour -> !behaviour.unconditionalUpdate()))
        .containsExactlyInAnyOrder("Lease", "RuntimeClass");
    assertThat(with(Behaviour::returnsDeleted))
        .containsExactlyInAnyOrder(
            "Pod",
            "Service",
            "ServiceAccount",
            "Namespace",
            "ResourceQuota",
            "CSINode",
            "CSIDriver",
            "VolumeAttachment");
    assertThat(with(Behaviour::hasGeneration))
        .containsExactlyInAnyOrder("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job");
    assertThat(with(Behaviour::hasStatus))
        .containsExactlyInAnyOrder(
            "Pod",
            "Namespace",
            "Node",
            "Service",
            "ResourceQuota",
            "Deployment",
            "ReplicaSet",
            "DaemonSet",
            "StatefulSet",
            "Job",
            "CertificateSigningRequest",
            "VolumeAttachment");
  }

  private List<String> with(Predicate<Behaviour> flag) {
    return kinds.all().stream()
        .filter(kind -> flag.test(kind.behaviour()))
        .map(kind -> kind.names().kind())
        .toList();
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (ResourceKind kind : kinds.all()) {
      for (ServedVersion served : kind.versions()) {
        rows.add(
            row(
                served.apiVersion(),
                kind.names().plural(),
                kind.names().singular(),
                kind.namespaced(),
                kind.names().kind(),
                "\t",
                kind.verbs(),
                kind.shortNames(served),
                kind.categories(served)));
        if (served.equals(kind.storedVersion())) {
          for (Subresource sub : kind.subresources()) {
            rows.add(
                row(
                    served.apiVersion(),
                    kind.names().plural() + "/" + sub.name(),
                    "",
                    kind.namespaced(),
                    sub.kind(),
                    sub.group() + "\t" + sub.version(),
                    sub.verbs(),
                    List.of(),
                    List.of()));
          }
        }
      }
    }
    for (ReviewKind review : kinds.reviews()) {
      rows.add(
          row(
              review.apiVersion(),
              review.plural(),
              review.singular(),
              review.namespaced(),
              review.kind(),
              "\t",
              Set.of(Verb.CREATE),
              List.of(),
              List.of()));
    }
    return rows;
  }

  private static String row(
      String apiVersion,
      String name,
      String singular,
      boolean namespaced,
      String kind,
      String response,
      Set<Verb> verbs,
      List<String> shortNames,
      List<String> categories) {
    return String.join(
        "\t",
        apiVersion,
        name,
        singular,
        namespaced ? "y" : "n",
        kind,
        response,
        verbs.stream().map(Verb::toString).sorted().collect(Collectors.joining(",")),
        String.join(",", shortNames),
        String.join(",", categories));
  }

  private static boolean sameName(String our, String row) {
    String[] left = our.split("\t", -1);
    String[] right = row.split("\t", -1);
    return left[0].equals(right[0])
        && left[1].replaceAll("/.*", "").equals(right[1].replaceAll("/.*", ""));
  }

  /// The measured rows without their last column, the hash of the storage version.
  private static List<String> facts() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ServedKindsTest.class.getResourceAsStream("discovery.tsv"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .skip(1)
          .map(line -> line.substring(0, line.lastIndexOf('\t')))
          .toList();
    }
  }
}
