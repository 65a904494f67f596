package dev.berth.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Operations are those of upstream's published document, `endpoints.tsv`, for the kinds served.
class OpenApiPathsTest {
  private static final Set<String> NOT_SUPPORTED =
      Set.of("ignoreStoreReadErrorWithClusterBreakingPotential", "stream");

  private final OpenApiPaths endpoints =
      new OpenApiPaths(ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD));

  @Test
  void operationsAreThoseOfUpstream() throws IOException {
    NavigableSet<String> ours = new TreeSet<>();
    endpoints
        .byDocument()
        .values()
        .forEach(
            list ->
                list.forEach(
                    endpoint ->
                        endpoint.operations().forEach(one -> ours.add(row(endpoint, one)))));
    // Versions that upstream no longer has, and discovery.
    ours.removeIf(row -> row.contains("/v1beta1/") || row.contains("/v1alpha1/"));
    ours.removeIf(row -> row.contains("\tGET\t\t"));

    NavigableSet<String> golden = golden();
    // Upstream documents a Status and answers with the namespace.
    golden.removeIf(row -> row.contains("\tdeleteCoreV1Namespace\t"));
    ours.removeIf(row -> row.contains("\tdeleteCoreV1Namespace\t"));
    assertThat(golden.stream().filter(row -> !ours.contains(row))).isEmpty();
    assertThat(ours.stream().filter(row -> !golden.contains(row)))
        .allMatch(
            row ->
                row.matches("/apis/(certificates|events|scheduling|storage).k8s.io/v1/.*")
                    || row.matches("/apis/apps/v1/.*/?controllerrevisions.*")
                    || row.matches("/api/v1/.*/?(limitranges|resourcequotas).*"));
  }

  private static String row(OpenApiPath endpoint, OpenApiOperation operation) {
    String answers =
        operation.answers().entrySet().stream()
            .map(entry -> entry.getKey() + ":" + shortName(entry.getValue()))
            .collect(Collectors.joining(" "));
    return String.join(
        "\t",
        endpoint.path(),
        operation.method().toUpperCase(Locale.ROOT),
        operation.action(),
        operation.id(),
        String.join(",", operation.query()),
        operation.body().map(OpenApiPathsTest::shortName).orElse(""),
        answers);
  }

  private static String shortName(String definition) {
    return definition.isEmpty()
        ? "string"
        : definition.replaceFirst("^io\\.k8s\\.(api|apimachinery\\.pkg\\.apis)\\.", "");
  }

  private static NavigableSet<String> golden() throws IOException {
    try (InputStream in = OpenApiPathsTest.class.getResourceAsStream("endpoints.tsv")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(OpenApiPathsTest::supported)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String supported(String line) {
    List<String> columns = Arrays.asList(line.split("\t", -1));
    String query =
        Arrays.stream(columns.get(4).split(",", -1))
            .filter(name -> !NOT_SUPPORTED.contains(name))
            .collect(Collectors.joining(","));
    columns.set(4, query);
    return String.join("\t", columns);
  }
}
