package dev.berth.api;

import java.util.regex.Pattern;

/// The syntax of label keys and values in selectors. The messages are upstream's, with its double
/// spaces: clients and tests compare them.
final class LabelRules {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

  private LabelRules() {}

  static String checkKey(String key) throws SelectorSyntaxException {
    int slash = key.indexOf('/');
    String name = key.substring(slash + 1);
    boolean good =
        name.length() <= 63
            && NAME.matcher(name).matches()
            && (slash < 0 || DnsNames.isSubdomain(key.substring(0, slash)));
    if (!good) {
      throw new SelectorSyntaxException(
          ("unable to parse requirement: <nil>: Invalid value: \"%s\": name part must consist of"
                  + " alphanumeric characters, '-', '_' or '.', and must start and end with an"
                  + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
                  + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')")
              .formatted(key));
    }
    return key;
  }

  static String checkValue(String value) throws SelectorSyntaxException {
    if (value.length() > 63 || !NAME.matcher(value).matches()) {
      throw new SelectorSyntaxException(
          ("unable to parse requirement: values[0]: Invalid value: \"%s\": a valid label must be an"
                  + " empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                  + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', "
                  + " or '12345', regex used for validation is"
                  + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')")
              .formatted(value));
    }
    return value;
  }
}
