package dev.berth.server.validation.security;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// The rules of kernel parameters.
///
/// Whether a parameter is safe is decided by the node and by Pod Security; here only the form and
/// the namespace count.
final class SecuritySysctlRules {
  /// Upstream's limit of a sysctl's name.
  private static final int MAX_LENGTH = 253;

  private static final String SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final String FORMAT = "^(" + SEGMENT + "[\\./])*" + SEGMENT + "$";
  private static final Pattern NAME = Pattern.compile(FORMAT);

  private SecuritySysctlRules() {}

  static void validate(JsonNode spec, JsonNode sysctls, FieldPath path, FieldErrors errors) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < sysctls.size(); i++) {
      String name = PodFields.text(sysctls.get(i), "name");
      FieldPath at = path.index(i).child("name");
      if (name.isEmpty()) {
        errors.required(at, "");
      } else if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
        errors.invalid(
            at, name, "must have at most " + MAX_LENGTH + " characters and match regex " + FORMAT);
      } else if (!names.add(name)) {
        errors.duplicate(at, name);
      }
      ownNamespace(spec, name, at, errors);
    }
  }

  /// A parameter of a namespace that the pod shares with the node would change the node.
  private static void ownNamespace(JsonNode spec, String name, FieldPath path, FieldErrors errors) {
    String dotted = dotted(name);
    if (PodFields.isTrue(spec, "hostNetwork") && dotted.startsWith("net.")) {
      errors.invalid(path, name, "may not be specified when 'hostNetwork' is true");
    } else if (PodFields.isTrue(spec, "hostIPC") && isOfIpc(dotted)) {
      errors.invalid(path, name, "may not be specified when 'hostIPC' is true");
    }
  }

  private static boolean isOfIpc(String name) {
    return name.equals("kernel.sem")
        || name.startsWith("kernel.shm")
        || name.startsWith("kernel.msg")
        || name.startsWith("fs.mqueue.");
  }

  /// `net/ipv4/conf` is another way to write `net.ipv4.conf`.
  // Whichever separator comes first is the separator; the other may be part of an interface's name.
  private static String dotted(String name) {
    int slash = name.indexOf('/');
    int dot = name.indexOf('.');
    return slash >= 0 && (dot < 0 || slash < dot) ? name.replace('/', '.') : name;
  }
}
