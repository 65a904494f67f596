package dev.berth.server.validation.fields;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The syntax of names, labels and keys; every method returns the reasons against a text, none when
/// it is valid.
///
/// Hand-written scanners, because these run for every name of every object.
public final class NameRules {
  // RFC 1123 and RFC 1035: a label has 63 octets, a name 253 without its dots at the end.
  public static final int LABEL_LENGTH = 63;
  public static final int SUBDOMAIN_LENGTH = 253;
  // RFC 6335 section 5.1.
  private static final int PORT_NAME_LENGTH = 15;

  // For messages only; the scanners below decide. Both must say the same.
  private static final String LABEL_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String QUALIFIED_FORMAT = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final String LABEL_TEXT =
      pattern(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
              + " must start and end with an alphanumeric character",
          LABEL_FORMAT,
          "my-name",
          "123-abc");
  private static final String SUBDOMAIN_TEXT =
      pattern(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
              + " '.', and must start and end with an alphanumeric character",
          LABEL_FORMAT + "(\\." + LABEL_FORMAT + ")*",
          "example.com");
  private static final String DNS_1035_TEXT =
      pattern(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
              + " alphabetic character, and end with an alphanumeric character",
          "[a-z]([-a-z0-9]*[a-z0-9])?",
          "my-name",
          "abc-123");
  private static final String QUALIFIED_TEXT =
      pattern(
          "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
              + " alphanumeric character",
          QUALIFIED_FORMAT,
          "MyName",
          "my.name",
          "123-abc");
  private static final String LABEL_VALUE_TEXT =
      pattern(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
              + " '.', and must start and end with an alphanumeric character",
          "(" + QUALIFIED_FORMAT + ")?",
          "MyValue",
          "my_value",
          "12345");
  private static final String CONFIG_KEY_TEXT =
      pattern(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          "[-._a-zA-Z0-9]+",
          "key.name",
          "KEY_NAME",
          "key-name");
  private static final String HTTP_HEADER_TEXT =
      pattern(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          "[-A-Za-z0-9]+",
          "X-Header-Name");
  private static final List<String> NOT_A_QUALIFIED_NAME =
      List.of(
          "a qualified name "
              + QUALIFIED_TEXT
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");

  private NameRules() {}

  /// Namespaces have such names, because they become parts of host names.
  public static List<String> dns1123Label(String value) {
    if (isLabel(value) && value.length() <= LABEL_LENGTH) {
      return List.of();
    }
    List<String> reasons = tooLong(value, LABEL_LENGTH);
    if (!isLabel(value)) {
      reasons.add(isSubdomain(value) ? "must not contain dots" : LABEL_TEXT);
    }
    return reasons;
  }

  public static List<String> dns1123Subdomain(String value) {
    if (isSubdomain(value) && value.length() <= SUBDOMAIN_LENGTH) {
      return List.of();
    }
    List<String> reasons = tooLong(value, SUBDOMAIN_LENGTH);
    if (!isSubdomain(value)) {
      reasons.add(SUBDOMAIN_TEXT);
    }
    return reasons;
  }

  /// Services have such names: older DNS software does not accept a digit at the beginning.
  public static List<String> dns1035Label(String value) {
    boolean shaped = isLabel(value) && !isDigit(value.charAt(0));
    if (shaped && value.length() <= LABEL_LENGTH) {
      return List.of();
    }
    List<String> reasons = tooLong(value, LABEL_LENGTH);
    if (!shaped) {
      reasons.add(DNS_1035_TEXT);
    }
    return reasons;
  }

  /// The key of a label, an annotation or a resource: `name` or `dns.prefix/name`.
  public static List<String> qualifiedName(String value) {
    int slash = value.indexOf('/');
    if (slash < 0 && isQualifiedPart(value) && value.length() <= LABEL_LENGTH) {
      return List.of();
    }
    if (slash != value.lastIndexOf('/')) {
      return NOT_A_QUALIFIED_NAME;
    }
    List<String> reasons = new ArrayList<>();
    if (slash == 0) {
      reasons.add("prefix part must be non-empty");
    } else if (slash > 0) {
      for (String reason : dns1123Subdomain(value.substring(0, slash))) {
        reasons.add("prefix part " + reason);
      }
    }
    String name = value.substring(slash + 1);
    if (name.isEmpty()) {
      reasons.add("name part must be non-empty");
    } else if (bytes(name) > LABEL_LENGTH) {
      reasons.add("name part " + noMoreThan(LABEL_LENGTH));
    }
    if (!isQualifiedPart(name)) {
      reasons.add("name part " + QUALIFIED_TEXT);
    }
    return reasons;
  }

  /// An empty value is fine.
  public static List<String> labelValue(String value) {
    boolean shaped = value.isEmpty() || isQualifiedPart(value);
    if (shaped && value.length() <= LABEL_LENGTH) {
      return List.of();
    }
    List<String> reasons = tooLong(value, LABEL_LENGTH);
    if (!shaped) {
      reasons.add(LABEL_VALUE_TEXT);
    }
    return reasons;
  }

  /// A key of a ConfigMap or Secret; it becomes a file name.
  public static List<String> configMapKey(String value) {
    List<String> reasons = tooLong(value, SUBDOMAIN_LENGTH);
    if (value.isEmpty() || !value.chars().allMatch(c -> isAlphanumeric(c) || isPunctuation(c))) {
      reasons.add(CONFIG_KEY_TEXT);
    }
    if (value.equals(".")) {
      reasons.add("must not be '.'");
    } else if (value.equals("..")) {
      reasons.add("must not be '..'");
    } else if (value.startsWith("..")) {
      // Volumes of ConfigMaps keep their content in `..data`, which a key must not replace.
      reasons.add("must not start with '..'");
    }
    return reasons;
  }

  /// The name of an environment variable, in the relaxed form that came with Kubernetes 1.32.
  ///
  /// Older nodes refuse such names at the start of the container; the API accepts them since.
  ///
  /// The relaxed form is KEP-4369.
  public static List<String> environmentVariable(String value) {
    if (value.isEmpty()) {
      return List.of("environment variable name must be non-empty");
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~' || c == '=') {
        return List.of(
            "a valid environment variable name must consist only of printable ASCII characters"
                + " other than '='");
      }
    }
    return List.of();
  }

  /// Checks the form of service names of RFC 6335.
  public static List<String> portName(String value) {
    List<String> reasons = tooLong(value, PORT_NAME_LENGTH);
    if (value.isEmpty() || !value.chars().allMatch(NameRules::isLabelCharacter)) {
      reasons.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (value.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
      reasons.add("must contain at least one letter (a-z)");
    }
    if (value.contains("--")) {
      reasons.add("must not contain consecutive hyphens");
    }
    if (value.startsWith("-") || value.endsWith("-")) {
      reasons.add("must not begin or end with a hyphen");
    }
    return reasons;
  }

  public static List<String> httpHeaderName(String value) {
    return !value.isEmpty() && value.chars().allMatch(c -> isAlphanumeric(c) || c == '-')
        ? List.of()
        : List.of(HTTP_HEADER_TEXT);
  }

  /// `must be no more than 63 characters`.
  public static String noMoreThan(int characters) {
    return "must be no more than " + characters + " characters";
  }

  private static List<String> tooLong(String value, int maximum) {
    List<String> reasons = new ArrayList<>(2);
    if (bytes(value) > maximum) {
      reasons.add(noMoreThan(maximum));
    }
    return reasons;
  }

  private static int bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean isLabel(String value) {
    return isLabel(value, 0, value.length());
  }

  private static boolean isSubdomain(String value) {
    int start = 0;
    for (int dot = value.indexOf('.'); dot >= 0; dot = value.indexOf('.', start)) {
      if (!isLabel(value, start, dot)) {
        return false;
      }
      start = dot + 1;
    }
    return isLabel(value, start, value.length());
  }

  private static boolean isLabel(String value, int start, int end) {
    if (start >= end || value.charAt(start) == '-' || value.charAt(end - 1) == '-') {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (!isLabelCharacter(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isQualifiedPart(String value) {
    int length = value.length();
    if (length == 0
        || !isAlphanumeric(value.charAt(0))
        || !isAlphanumeric(value.charAt(length - 1))) {
      return false;
    }
    for (int i = 1; i < length - 1; i++) {
      if (!isAlphanumeric(value.charAt(i)) && !isPunctuation(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLabelCharacter(int c) {
    return (c >= 'a' && c <= 'z') || isDigit(c) || c == '-';
  }

  private static boolean isAlphanumeric(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
  }

  private static boolean isPunctuation(int c) {
    return c == '-' || c == '_' || c == '.';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static String pattern(String text, String format, String... examples) {
    String list = "'" + String.join("',  or '", examples) + "'";
    return text + " (e.g. " + list + ", regex used for validation is '" + format + "')";
  }
}
