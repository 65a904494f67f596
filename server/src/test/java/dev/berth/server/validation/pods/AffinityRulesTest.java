package dev.berth.server.validation.pods;

import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AffinityRulesTest {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private static void assertMessages(String affinity, String expected) {
    FieldErrors errors = new FieldErrors();
    new AffinityRules(errors)
        .validate(
            PodSamples.normal(
                "core.v1.Affinity",
                affinity.replace("REQUIRED", REQUIRED).replace("PREFERRED", PREFERRED)),
            FieldPath.ROOT);
    PodErrors.assertMessages(
        PodErrors.texts(errors),
        expected
            .replace("TERMS", REQUIRED + ".nodeSelectorTerms")
            .replace("REQUIRED", REQUIRED)
            .replace("PREFERRED", PREFERRED));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}], matchFields: [{key: metadata.name, operator: In, values: [n]}]}]} | ''
          {nodeSelectorTerms: []} | nodeAffinity.TERMS: Required value: must have at least one node selector term
          {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]} | nodeAffinity.TERMS[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'
          {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists, values: [b]}]}]} | nodeAffinity.TERMS[0].matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'
          {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Gt, values: ['1', '2']}]}]} | nodeAffinity.TERMS[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'
          {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Like}]}]} | nodeAffinity.TERMS[0].matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator
          {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: ['-']}]}]} | nodeAffinity.TERMS[0].matchExpressions[0].values[0]: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
          {nodeSelectorTerms: [{matchFields: [{key: metadata.uid, operator: In, values: [n]}]}]} | nodeAffinity.TERMS[0].matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key
          {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n, m]}]}]} | nodeAffinity.TERMS[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector
          {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: Exists}]}]} | nodeAffinity.TERMS[0].matchFields[0].operator: Invalid value: "Exists": not a valid selector operator
          """)
  void requiredNodes(String selector, String expected) {
    assertMessages("nodeAffinity: {REQUIRED: " + selector + "}", expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodeAffinity: {PREFERRED: [{weight: 1, preference: {matchExpressions: [{key: a, operator: In, values: ['-']}]}}]} | ''
          nodeAffinity: {PREFERRED: [{weight: 101, preference: {}}]} | nodeAffinity.PREFERRED[0].weight: Invalid value: 101: must be in the range 1-100
          podAffinity: {PREFERRED: [{weight: 0, podAffinityTerm: {topologyKey: z}}]} | podAffinity.PREFERRED[0].weight: Invalid value: 0: must be in the range 1-100
          podAntiAffinity: {REQUIRED: [{topologyKey: z, labelSelector: {matchLabels: {a: b}}, namespaces: [x]}]} | ''
          podAntiAffinity: {REQUIRED: [{topologyKey: z, namespaces: [X_]}]} | podAntiAffinity.REQUIRED[0].namespace: Invalid value: "X_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
          podAffinity: {REQUIRED: [{}]} | podAffinity.REQUIRED[0].topologyKey: Required value: can not be empty # podAffinity.REQUIRED[0].topologyKey: Invalid value: "": name part must be non-empty # podAffinity.REQUIRED[0].topologyKey: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
          podAffinity: {REQUIRED: [{topologyKey: z, labelSelector: {matchExpressions: [{key: a, operator: In}]}}]} | podAffinity.REQUIRED[0].labelSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'
          podAffinity: {REQUIRED: [{topologyKey: z, matchLabelKeys: [a]}]} | podAffinity.REQUIRED[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set
          podAffinity: {REQUIRED: [{topologyKey: z, labelSelector: {matchLabels: {a: b}, matchExpressions: [{key: a, operator: In, values: [b]}]}, matchLabelKeys: [a], mismatchLabelKeys: [a]}]} | podAffinity.REQUIRED[0][0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector # podAffinity.REQUIRED[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys
          """)
  void otherTerms(String affinity, String expected) {
    assertMessages(affinity, expected);
  }
}
