package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.fields.IpRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;

/// The rules of a pod's names and of how it resolves those of others.
///
/// The limits hold for the resolver in the container; a larger configuration would be cut there
/// without notice.
final class PodNetworkRules {
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

  /// Upstream's limits of the DNS configuration; glibc reads three name servers only.
  private static final int MAX_NAMESERVERS = 3;

  /// Upstream's limits of `dnsConfig.searches`, for which old resolvers were widened (KEP-2595).
  private static final int MAX_SEARCHES = 32;

  private static final int MAX_SEARCH_CHARACTERS = 2048;

  private PodNetworkRules() {}

  static void dnsPolicy(JsonNode spec, FieldPath path, FieldErrors errors) {
    String policy = PodFields.text(spec, "dnsPolicy");
    if (policy.isEmpty()) {
      errors.required(path.child("dnsPolicy"), "");
    } else if (!DNS_POLICIES.contains(policy)) {
      errors.notSupportedInOrder(path.child("dnsPolicy"), policy, DNS_POLICIES);
    }
  }

  static void dnsConfig(JsonNode spec, FieldPath specPath, FieldErrors errors) {
    JsonNode config = spec.path("dnsConfig");
    if (PodFields.text(spec, "dnsPolicy").equals("None")) {
      if (!config.isObject()) {
        errors.required(
            specPath.child("dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None");
        return;
      }
      if (config.path("nameservers").isEmpty()) {
        errors.required(
            specPath.child("dnsConfig").child("nameservers"),
            "must provide at least one DNS nameserver when `dnsPolicy` is None");
        return;
      }
    }
    if (config.isObject()) {
      nameservers(config.path("nameservers"), specPath.child("dnsConfig"), errors);
      searches(config.path("searches"), specPath.child("dnsConfig"), errors);
      options(config.path("options"), specPath.child("dnsConfig"), errors);
    }
  }

  private static void nameservers(JsonNode servers, FieldPath config, FieldErrors errors) {
    FieldPath path = config.child("nameservers");
    if (servers.size() > MAX_NAMESERVERS) {
      errors.invalidLiteral(
          path,
          GoComposites.stringList(servers),
          "must not have more than " + MAX_NAMESERVERS + " nameservers");
    }
    for (int i = 0; i < servers.size(); i++) {
      IpRules.checkAddress(servers.get(i).asText(), path.index(i), errors);
    }
  }

  private static void searches(JsonNode searches, FieldPath config, FieldErrors errors) {
    FieldPath path = config.child("searches");
    if (searches.size() > MAX_SEARCHES) {
      errors.invalidLiteral(
          path,
          GoComposites.stringList(searches),
          "must not have more than " + MAX_SEARCHES + " search paths");
    }
    // The blanks between them in `resolv.conf`; KEP-2595 raised both limits.
    int characters = searches.size() - 1;
    for (JsonNode search : searches) {
      characters += search.asText().length();
    }
    if (characters > MAX_SEARCH_CHARACTERS) {
      errors.invalidLiteral(
          path,
          GoComposites.stringList(searches),
          "must not have more than %d characters (including spaces) in the search list"
              .formatted(MAX_SEARCH_CHARACTERS));
    }
    for (int i = 0; i < searches.size(); i++) {
      String search = searches.get(i).asText();
      // A root label is allowed; the resolver takes such a name as absolute.
      String domain = search.endsWith(".") ? search.substring(0, search.length() - 1) : search;
      errors.invalid(path.index(i), domain, NameRules.dns1123Subdomain(domain));
    }
  }

  private static void options(JsonNode options, FieldPath config, FieldErrors errors) {
    for (int i = 0; i < options.size(); i++) {
      if (PodFields.text(options.get(i), "name").isEmpty()) {
        errors.required(config.child("options").index(i), "must not be empty");
      }
    }
  }

  static void hostAliases(JsonNode aliases, FieldPath path, FieldErrors errors) {
    for (int i = 0; i < aliases.size(); i++) {
      FieldPath at = path.index(i);
      IpRules.checkAddress(PodFields.text(aliases.get(i), "ip"), at.child("ip"), errors);
      JsonNode names = aliases.get(i).path("hostnames");
      for (int j = 0; j < names.size(); j++) {
        String name = names.get(j).asText();
        errors.invalid(at.child("hostnames").index(j), name, NameRules.dns1123Subdomain(name));
      }
    }
  }
}
