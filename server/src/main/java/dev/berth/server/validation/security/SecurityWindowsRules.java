package dev.berth.server.validation.security;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodContainers;
import dev.berth.server.validation.fields.PodFields;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// The rules of options that only Windows understands.
///
/// Group accounts are KEP-689, user names KEP-1043, host processes KEP-1981.
public final class SecurityWindowsRules {
  /// Limits of Windows and of Active Directory, as upstream checks them.
  private static final int MAX_CREDENTIAL_KIB = 64;

  /// Windows' limits of domain and user names in `runAsUserName` (KEP-1043).
  private static final int MAX_DOMAIN = 256;

  private static final int MAX_USER = 104;
  // At most fifteen characters and no dot at the beginning.
  private static final Pattern NETBIOS = Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
  private static final String DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
  private static final Pattern DNS = Pattern.compile(DNS_LABEL + "(?:\\." + DNS_LABEL + ")*");
  // Windows drops dots and blanks at the end of a name, so that nothing would be left of it.
  private static final Pattern ONLY_DOTS = Pattern.compile("[. ]+");
  private static final Pattern NOT_IN_USERS = Pattern.compile("[\"/\\\\:;|=,+*?<>@\\[\\]]");

  private SecurityWindowsRules() {}

  static void options(JsonNode options, FieldPath context, FieldErrors errors) {
    if (!options.isObject()) {
      return;
    }
    FieldPath path = context.child("windowsOptions");
    if (PodFields.has(options, "gmsaCredentialSpecName")) {
      String name = PodFields.text(options, "gmsaCredentialSpecName");
      errors.invalid(path.child("gmsaCredentialSpecName"), name, NameRules.dns1123Subdomain(name));
    }
    if (PodFields.has(options, "gmsaCredentialSpec")) {
      credential(
          PodFields.text(options, "gmsaCredentialSpec"), path.child("gmsaCredentialSpec"), errors);
    }
    if (PodFields.has(options, "runAsUserName")) {
      user(PodFields.text(options, "runAsUserName"), path.child("runAsUserName"), errors);
    }
  }

  private static void credential(String spec, FieldPath path, FieldErrors errors) {
    if (spec.isEmpty()) {
      errors.invalid(path, spec, "gmsaCredentialSpec cannot be an empty string");
    } else if (bytes(spec) > MAX_CREDENTIAL_KIB * 1024) {
      errors.invalid(
          path, spec, "gmsaCredentialSpec size must be under " + MAX_CREDENTIAL_KIB + " KiB");
    }
  }

  private static void user(String name, FieldPath path, FieldErrors errors) {
    int backslash = name.indexOf('\\');
    if (name.isEmpty()) {
      errors.invalid(path, name, "runAsUserName cannot be an empty string");
    } else if (name.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      errors.invalid(path, name, "runAsUserName cannot contain control characters");
    } else if (backslash != name.lastIndexOf('\\')) {
      errors.invalid(path, name, "runAsUserName cannot contain more than one backslash");
    } else {
      if (backslash >= 0) {
        domain(name, name.substring(0, backslash), path, errors);
      }
      userPart(name, name.substring(backslash + 1), path, errors);
    }
  }

  private static void domain(String name, String domain, FieldPath path, FieldErrors errors) {
    if (bytes(domain) >= MAX_DOMAIN) {
      errors.invalid(
          path, name, "runAsUserName's Domain length must be under " + MAX_DOMAIN + " characters");
    }
    if (!NETBIOS.matcher(domain).matches() && !DNS.matcher(domain).matches()) {
      errors.invalid(
          path, name, "runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }

  private static void userPart(String name, String user, FieldPath path, FieldErrors errors) {
    if (user.isEmpty()) {
      errors.invalid(path, name, "runAsUserName's User cannot be empty");
    } else if (bytes(user) > MAX_USER) {
      errors.invalid(
          path,
          name,
          "runAsUserName's User length must not be longer than " + MAX_USER + " characters");
    }
    if (ONLY_DOTS.matcher(user).matches()) {
      errors.invalid(path, name, "runAsUserName's User cannot contain only periods or spaces");
    }
    if (NOT_IN_USERS.matcher(user).find()) {
      errors.invalid(
          path,
          name,
          "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
    }
  }

  /// Checks that containers which run as processes of the host come all together or not at all,
  /// because Windows cannot mix them in one pod.
  public static void hostProcess(JsonNode spec, FieldPath path, FieldErrors errors) {
    JsonNode ofPod = hostProcess(spec);
    if (!ofPod.isBoolean()
        && !PodContainers.any(spec, container -> hostProcess(container).isBoolean())) {
      return;
    }
    AtomicInteger all = new AtomicInteger();
    AtomicInteger onHost = new AtomicInteger();
    PodContainers.visit(
        spec,
        path,
        (container, at) -> {
          JsonNode own = hostProcess(container);
          all.incrementAndGet();
          if (ofPod.isBoolean() && own.isBoolean() && !ofPod.equals(own)) {
            errors.invalid(
                at.child("securityContext").child("windowsOptions").child("hostProcess"),
                own,
                "pod hostProcess value must be identical if both are specified, was " + ofPod);
          }
          if (own.isBoolean() ? own.booleanValue() : ofPod.booleanValue()) {
            onHost.incrementAndGet();
          }
        });
    if (onHost.get() > 0) {
      together(spec, onHost.get() == all.get(), path, errors);
    }
  }

  private static void together(
      JsonNode spec, boolean allOnHost, FieldPath path, FieldErrors errors) {
    if (!allOnHost) {
      errors.invalid(
          path,
          "",
          "If pod contains any hostProcess containers then all containers must be HostProcess"
              + " containers");
    }
    if (!PodFields.isTrue(spec, "hostNetwork")) {
      errors.invalidLiteral(
          path.child("hostNetwork"),
          "false",
          "hostNetwork must be true if pod contains any hostProcess containers");
    }
  }

  private static JsonNode hostProcess(JsonNode owner) {
    return owner.path("securityContext").path("windowsOptions").path("hostProcess");
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
