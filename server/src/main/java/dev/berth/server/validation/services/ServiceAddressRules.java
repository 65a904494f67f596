package dev.berth.server.validation.services;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.fields.IpRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of a service's own addresses and their families, which must agree with each other.
///
/// KEP-563. `clusterIP` is the first of `clusterIPs`; old clients write only the first one.
final class ServiceAddressRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath ADDRESSES = SPEC.child("clusterIPs");
  private static final FieldPath FAMILIES = SPEC.child("ipFamilies");
  private static final List<String> KNOWN_FAMILIES = List.of("IPv4", "IPv6");
  private static final List<String> POLICIES =
      List.of("PreferDualStack", "RequireDualStack", "SingleStack");
  private static final String NONE = "None";

  /// One for each family (KEP-563).
  private static final int MOST_ADDRESSES = 2;

  private ServiceAddressRules() {}

  static void check(JsonNode spec, FieldErrors errors) {
    if (spec.path("type").asText().equals("ExternalName")) {
      // Has none of these fields, which is checked with its type.
      return;
    }
    List<String> addresses = GoComposites.strings(spec.path("clusterIPs"));
    List<String> families = GoComposites.strings(spec.path("ipFamilies"));
    checkFirst(spec.path("clusterIP").asText(), addresses, errors);
    checkFamilies(families, errors);
    if (spec.hasNonNull("ipFamilyPolicy")) {
      String policy = spec.path("ipFamilyPolicy").asText();
      if (!POLICIES.contains(policy)) {
        errors.notSupportedInOrder(SPEC.child("ipFamilyPolicy"), policy, POLICIES);
      }
    }
    boolean sound = checkEach(addresses, errors);
    if (addresses.size() > MOST_ADDRESSES) {
      refuse(addresses, "may only hold up to 2 values", errors);
    }
    if (sound && !addresses.isEmpty() && !addresses.getFirst().equals(NONE)) {
      checkAgainstFamilies(addresses, families, errors);
    }
  }

  private static void checkFirst(String single, List<String> addresses, FieldErrors errors) {
    if (single.isEmpty()) {
      if (!addresses.isEmpty()) {
        refuse(addresses, "must be empty when `clusterIP` is not specified", errors);
      }
    } else if (addresses.isEmpty()) {
      errors.required(ADDRESSES, "");
    } else if (!addresses.getFirst().equals(single)) {
      refuse(addresses, "first value must match `clusterIP`", errors);
    }
  }

  /// There are only two families, so that a list without duplicates has at most two of them.
  private static void checkFamilies(List<String> families, FieldErrors errors) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < families.size(); i++) {
      String family = families.get(i);
      if (!KNOWN_FAMILIES.contains(family)) {
        errors.notSupportedInOrder(FAMILIES.index(i), family, KNOWN_FAMILIES);
      }
      if (!seen.add(family)) {
        errors.duplicate(FAMILIES.index(i), family);
      }
    }
  }

  /// Whether each is an address, or the only one says that there is none.
  private static boolean checkEach(List<String> addresses, FieldErrors errors) {
    boolean sound = true;
    for (int i = 0; i < addresses.size(); i++) {
      String address = addresses.get(i);
      if (i == 0 && address.equals(NONE)) {
        if (addresses.size() > 1) {
          refuse(addresses, "'None' must be the first and only value", errors);
          sound = false;
        }
      } else {
        IpRules.checkAddress(address, ADDRESSES.index(i), errors);
        sound = sound && IpRules.parse(address).isPresent();
      }
    }
    return sound;
  }

  private static void checkAgainstFamilies(
      List<String> addresses, List<String> families, FieldErrors errors) {
    List<String> actual = addresses.stream().map(ServiceAddressRules::family).toList();
    if (addresses.size() > 1 && !actual.containsAll(KNOWN_FAMILIES)) {
      refuse(addresses, "may specify no more than one IP for each IP family", errors);
    }
    for (int i = 0; i < Math.min(addresses.size(), families.size()); i++) {
      String expected = families.get(i);
      if (KNOWN_FAMILIES.contains(expected) && !expected.equals(actual.get(i))) {
        errors.invalid(
            ADDRESSES.index(i),
            addresses.get(i),
            "expected an %s value as indicated by `ipFamilies[%d]`".formatted(expected, i));
      }
    }
  }

  private static String family(String address) {
    return IpRules.parse(address).filter(IpRules::isIpv4).isPresent() ? "IPv4" : "IPv6";
  }

  private static void refuse(List<String> addresses, String detail, FieldErrors errors) {
    errors.invalidLiteral(ADDRESSES, GoComposites.stringList(addresses), detail);
  }
}
