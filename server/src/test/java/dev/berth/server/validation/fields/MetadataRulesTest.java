package dev.berth.server.validation.fields;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.Trial;
import dev.berth.server.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataRulesTest {
  private static final String GOOD =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a, finalizers: [example.com/x]}
      """;
  private static final String ROLE =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: "system:node"}
      """;
  private static final String VALUE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',"
          + " and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', "
          + " or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

  private final Trial trial = new Trial();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: null} | metadata.name: Required value: name or generateName is required",
        "{name: a.b-0} | ''",
        "{labels: {a: b c}} | metadata.labels: Invalid value: \"b c\": LABEL",
        "{annotations: {UPPER/x: ''}} | ''",
        "{finalizers: [bad]} | metadata.finalizers[0]: Invalid value: \"bad\": name is neither a standard finalizer name nor is it fully qualified",
        "{finalizers: [orphan, foregroundDeletion]} | metadata.finalizers: Invalid value: []string{\"orphan\", \"foregroundDeletion\"}: finalizer orphan and foregroundDeletion cannot be both set",
        "{ownerReferences: [{apiVersion: v1, kind: Pod, name: p}]} | metadata.ownerReferences.uid: Invalid value: \"\": must not be empty",
        "{ownerReferences: [{kind: Pod, name: p, uid: u}]} | metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not be empty",
        "{ownerReferences: [{apiVersion: v1, kind: Event, name: e, uid: u}]} | metadata.ownerReferences: Invalid value: {\"apiVersion\":\"v1\",\"kind\":\"Event\",\"name\":\"e\",\"uid\":\"u\"}: /v1, Kind=Event is disallowed from being an owner",
      })
  void rulesOfEveryKind(String metadata, String expected) {
    List<String> errors = trial.errorsOnCreate(GOOD, "{metadata: " + metadata + "}");
    assertThat(String.join(", ", errors)).isEqualTo(expected.replace("LABEL", VALUE));
  }

  @Test
  void annotationsHaveALimit() {
    String big = "x".repeat(256 << 10);
    assertThat(trial.errorsOnCreate(GOOD, "{metadata: {annotations: {a: " + big + "}}}"))
        .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
  }

  @Test
  void onlyOneOwnerIsTheController() {
    assertThat(
            trial.errorsOnCreate(
                GOOD,
                """
                metadata:
                  ownerReferences:
                  - {apiVersion: v1, kind: Pod, name: p, uid: u1, controller: true}
                  - {apiVersion: v1, kind: Pod, name: q, uid: u2, controller: true}
                """))
        .singleElement()
        .asString()
        .endsWith(
            "Only one reference can have Controller set to true. Found \"true\" in references for"
                + " Pod/p and Pod/q");
  }

  @Test
  void clusterKindsHaveNoNamespace() {
    assertThat(trial.errorsOnCreate(ROLE, "{metadata: {namespace: x}}"))
        .containsExactly("metadata.namespace: Forbidden: not allowed on this type");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'system:node' | ''",
        "a/b | metadata.name: Invalid value: \"a/b\": may not contain '/'",
        "'..' | metadata.name: Invalid value: \"..\": may not be '..'",
      })
  void rolesAllowWhateverFitsIntoAPath(String name, String expected) {
    List<String> errors = trial.errorsOnCreate(ROLE, "{metadata: {name: \"" + name + "\"}}");
    assertThat(String.join(", ", errors)).isEqualTo(expected);
  }

  @Test
  void identityNeverChanges() {
    assertThat(trial.errorsOnUpdate(GOOD, "{metadata: {uid: other, creationTimestamp: null}}"))
        .containsExactly(
            "metadata.uid: Invalid value: \"other\": field is immutable",
            "metadata.creationTimestamp: Invalid value: null: field is immutable");
  }

  @Test
  void aDyingObjectGetsNoNewFinalizers() {
    ObjectNode old = trial.created(GOOD);
    old.withObjectProperty("metadata").put("deletionTimestamp", Trial.CREATED);
    ObjectNode changed =
        Trial.merged(old, "{metadata: {finalizers: [example.com/x, example.com/y]}}");
    ResourceKind kind = trial.kindOf(old);
    List<FieldError> errors = kind.validateUpdate(kind.storedVersion(), changed, old);

    // Recorded from upstream: the same cause twice.
    assertThat(errors)
        .hasSize(2)
        .allMatch(
            error ->
                error
                    .toString()
                    .equals(
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object"
                            + " is being deleted, found new finalizers []string{\"example.com/y\"}"));
    assertThat(trial.errorsOnUpdate(old, Trial.merged(old, "{metadata: {finalizers: null}}")))
        .isEmpty();
  }

  @Test
  void repeatedOwnersAreReducedWithAWarning() {
    ObjectNode object =
        Trial.yaml(
            """
            metadata:
              ownerReferences:
              - {uid: u2, name: a}
              - {uid: u1, name: a}
              - {uid: u2, name: b}
              - {uid: u1, name: a}
            """);
    List<String> warnings = new ArrayList<>();
    OwnerReferenceRules.reduceDuplicates(object, warnings::add);

    assertThat(object.path("metadata").path("ownerReferences")).hasSize(2);
    assertThat(warnings)
        .containsExactly(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner"
                + " references in 1.20+, and may reject such requests as early as 1.24; please fix"
                + " your requests; duplicate UID(s) observed: u1, u2");
  }
}
