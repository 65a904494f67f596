package dev.berth.server.resources.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherVersionsTest {
  private final ResourceKind classes =
      ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD)
          .resource("node.k8s.io", "v1", "runtimeclasses")
          .orElseThrow();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          v1       | spec                | ' (it is a field of apiVersion node.k8s.io/v1alpha1; this is node.k8s.io/v1)'
          v1       | spec.runtimeHandler | ' (it is a field of apiVersion node.k8s.io/v1alpha1; this is node.k8s.io/v1)'
          v1alpha1 | handler             | ' (it is a field of apiVersion node.k8s.io/v1, node.k8s.io/v1beta1; this is node.k8s.io/v1alpha1)'
          v1       | handlr              | ''
          v1       | spec.scheduling.tolerations[0].key | ' (it is a field of apiVersion node.k8s.io/v1alpha1; this is node.k8s.io/v1)'
          v1       | spec.scheduling.tolerations[key="a]\\"b.c",n=1].key | ' (it is a field of apiVersion node.k8s.io/v1alpha1; this is node.k8s.io/v1)'
          v1       | scheduling.tolerations[0].no | ''
          """)
  void aFieldOfAnotherVersionIsExplained(String version, String field, String advice) {
    String problem = "unknown field \"" + field + "\"";

    assertThat(
            new OtherVersions(classes, classes.served("node.k8s.io", version).orElseThrow())
                .explain(List.of(problem, "duplicate field \"a\""), List.of(field)))
        .containsExactly(problem + advice, "duplicate field \"a\"");
  }
}
