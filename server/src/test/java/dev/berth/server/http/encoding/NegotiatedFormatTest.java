package dev.berth.server.http.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.errors.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NegotiatedFormatTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|JSON|OBJECT",
        "*/*|JSON|OBJECT",
        "application/json|JSON|OBJECT",
        "application/yaml|YAML|OBJECT",
        "application/vnd.kubernetes.protobuf,application/json|PROTOBUF|OBJECT",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json|JSON|OBJECT",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json|JSON|TABLE",
        "application/json;as=Table;v=v9;g=meta.k8s.io,application/json|JSON|OBJECT",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1|JSON|PARTIAL",
        "text/html, application/json;q=0.5|JSON|OBJECT",
        "application/json;q=0.4,application/yaml;q=0.9|YAML|OBJECT"
      })
  void theFirstAlternativeThatCanBeServedIsTaken(String accept, String format, String as) {
    NegotiatedFormat wanted = NegotiatedFormat.parse(accept);
    assertThat(wanted.format()).hasToString(format);
    assertThat(wanted.as()).hasToString(as);
  }

  @Test
  void nothingThatCanBeServedIsRefusedWithWhatCould() {
    assertThatThrownBy(() -> NegotiatedFormat.parse("text/html"))
        .isInstanceOf(ApiException.class)
        .hasMessageStartingWith(
            "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|OBJECT",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json|OBJECT",
        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1|PARTIAL",
      })
  void whatHasNoColumnsIsServedInTheOtherForms(String accept, String as) {
    assertThat(NegotiatedFormat.parseWithoutTables(accept).as()).hasToString(as);
  }

  @Test
  void aTableOfWhatHasNoColumnsIsRefused() {
    assertThatThrownBy(
            () ->
                NegotiatedFormat.parseWithoutTables("application/json;as=Table;v=v1;g=meta.k8s.io"))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "only the following media types are accepted: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf");
  }
}
