package dev.berth.server.validation.fields;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameRulesTest {
  private static final String QUALIFIED =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "my-name", "123-abc", "a--b"})
  void labelsOfLettersDigitsAndInnerHyphensAreGood(String label) {
    assertThat(NameRules.dns1123Label(label)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "-a", "a-", "a_b", "ä"})
  void otherLabelsAreExplained(String label) {
    assertThat(NameRules.dns1123Label(label))
        .containsExactly(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
                + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
                + " '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
  }

  @Test
  void labelsMustNotBeSubdomains() {
    assertThat(NameRules.dns1123Label("a.b")).containsExactly("must not contain dots");
  }

  @Test
  void lengthAndShapeAreBothReported() {
    assertThat(NameRules.dns1123Label("a".repeat(64)))
        .containsExactly("must be no more than 63 characters");
    assertThat(NameRules.dns1035Label("0" + "a".repeat(63)))
        .containsExactly(
            "must be no more than 63 characters",
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with"
                + " an alphabetic character, and end with an alphanumeric character (e.g."
                + " 'my-name',  or 'abc-123', regex used for validation is"
                + " '[a-z]([-a-z0-9]*[a-z0-9])?')");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "example.com", "0.1.a"})
  void subdomainsAreLabelsWithDots(String name) {
    assertThat(NameRules.dns1123Subdomain(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".a", "a.", "a..b", "UPPER", "a.-b"})
  void otherSubdomainsAreExplained(String name) {
    assertThat(NameRules.dns1123Subdomain(name))
        .containsExactly(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-'"
                + " or '.', and must start and end with an alphanumeric character (e.g."
                + " 'example.com', regex used for validation is"
                + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A.b_c-d", "example.com/MyName", "1/2"})
  void qualifiedNamesMayHaveAPrefix(String name) {
    assertThat(NameRules.qualifiedName(name)).isEmpty();
  }

  @Test
  void brokenQualifiedNamesSayWhichPart() {
    assertThat(NameRules.qualifiedName("/a")).containsExactly("prefix part must be non-empty");
    assertThat(NameRules.qualifiedName("a/"))
        .containsExactly("name part must be non-empty", "name part " + QUALIFIED);
    assertThat(NameRules.qualifiedName("a b")).containsExactly("name part " + QUALIFIED);
    assertThat(NameRules.qualifiedName("a".repeat(64)))
        .containsExactly("name part must be no more than 63 characters");
    assertThat(NameRules.qualifiedName("a/b/c"))
        .containsExactly(
            "a qualified name "
                + QUALIFIED
                + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
  }

  @Test
  void labelValuesMayBeEmpty() {
    assertThat(NameRules.labelValue("")).isEmpty();
    assertThat(NameRules.labelValue("a_b.C")).isEmpty();
    assertThat(NameRules.labelValue("-"))
        .containsExactly(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                + " or '.', and must start and end with an alphanumeric character (e.g. 'MyValue', "
                + " or 'my_value',  or '12345', regex used for validation is"
                + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
  }

  @Test
  void configMapKeysAreFileNames() {
    assertThat(NameRules.configMapKey("a.b_C-1")).isEmpty();
    assertThat(NameRules.configMapKey("..")).containsExactly("must not be '..'");
    assertThat(NameRules.configMapKey("..a")).containsExactly("must not start with '..'");
    assertThat(NameRules.configMapKey("a/b"))
        .containsExactly(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
                + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
                + " '[-._a-zA-Z0-9]+')");
  }

  @Test
  void environmentVariablesArePrintable() {
    assertThat(NameRules.environmentVariable("1 a.B")).isEmpty();
    assertThat(NameRules.environmentVariable(""))
        .containsExactly("environment variable name must be non-empty");
    assertThat(NameRules.environmentVariable("a=b"))
        .containsExactly(
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
  }

  @Test
  void everyMistakeInAPortNameIsNamed() {
    assertThat(NameRules.portName("http")).isEmpty();
    assertThat(NameRules.portName("-_-0000000000000--"))
        .containsExactly(
            "must be no more than 15 characters",
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
            "must contain at least one letter (a-z)",
            "must not contain consecutive hyphens",
            "must not begin or end with a hyphen");
  }
}
