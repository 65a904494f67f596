package dev.berth.server.validation.volumes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoComposites;
import dev.berth.server.validation.fields.LabelSelectorRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.fields.VolumePathRules;
import java.util.HashSet;
import java.util.Set;

/// The rules of projected volumes.
///
/// All sources share one directory, so their paths must differ.
///
/// Upstream's `validateProjectionSources`. Tokens are KEP-1205, trust bundles KEP-3257.
final class VolumeProjectionRules {
  /// Upstream's bounds of a token's `expirationSeconds`.
  // The TokenRequest API has the same bounds, so that a mistake shows before a node asks for the
  // token.
  private static final long MIN_TOKEN_SECONDS = 10 * 60;

  /// Upstream's limit of the lifetime of tokens.
  private static final long MAX_TOKEN_SECONDS = 1L << 32;

  private static final String SAME_PATH = "conflicting duplicate paths";

  private final FieldPath path;
  private final FieldErrors errors;
  private final Set<String> files = new HashSet<>();

  VolumeProjectionRules(FieldPath path, FieldErrors errors) {
    this.path = path;
    this.errors = errors;
  }

  void validate(JsonNode projected) {
    VolumeFileRules.mode(projected, "defaultMode", path, errors);
    JsonNode sources = projected.path("sources");
    for (int i = 0; i < sources.size(); i++) {
      source(sources.get(i), path.child("sources").index(i));
    }
  }

  private void source(JsonNode source, FieldPath at) {
    int found = 0;
    if (source.get("secret") instanceof ObjectNode secret) {
      found++;
      keys(secret, at.child("secret"));
    }
    if (source.get("configMap") instanceof ObjectNode map) {
      found++;
      keys(map, at.child("configMap"));
    }
    if (source.get("downwardAPI") instanceof ObjectNode downward) {
      found++;
      for (JsonNode file : downward.path("items")) {
        VolumeFileRules.downward(file, at.child("downwardAPI"), errors);
        String target = PodFields.text(file, "path");
        unique(target, target);
      }
    }
    if (source.get("serviceAccountToken") instanceof ObjectNode token) {
      found++;
      token(token, at.child("serviceAccountToken"));
    }
    if (source.get("clusterTrustBundle") instanceof ObjectNode bundle) {
      found++;
      bundle(bundle, at.child("clusterTrustBundlePEM"));
    }
    if (found > 1) {
      errors.forbidden(at, "may not specify more than 1 volume type");
    }
  }

  private void keys(ObjectNode source, FieldPath at) {
    String name = PodFields.text(source, "name");
    if (name.isEmpty()) {
      errors.required(at.child("name"), "");
    }
    JsonNode items = source.path("items");
    for (int i = 0; i < items.size(); i++) {
      VolumeFileRules.key(items.get(i), at.child("items").index(i), errors);
      unique(PodFields.text(items.get(i), "path"), name);
    }
  }

  private void unique(String target, String reported) {
    if (!target.isEmpty() && !files.add(target)) {
      errors.invalid(path, reported, SAME_PATH);
    }
  }

  private void token(ObjectNode token, FieldPath at) {
    long seconds = PodFields.number(token, "expirationSeconds");
    if (seconds < MIN_TOKEN_SECONDS) {
      errors.invalid(
          at.child("expirationSeconds"),
          seconds,
          "may not specify a duration less than 10 minutes");
    }
    if (seconds > MAX_TOKEN_SECONDS) {
      errors.invalid(
          at.child("expirationSeconds"),
          seconds,
          "may not specify a duration larger than 2^32 seconds");
    }
    String target = PodFields.text(token, "path");
    if (target.isEmpty()) {
      // At the volume and not at the source, as upstream reports it.
      errors.required(path.child("path"), "");
    } else {
      VolumePathRules.descendingNotReserved(target, path.child("path"), errors);
    }
  }

  private void bundle(ObjectNode bundle, FieldPath at) {
    boolean named = PodFields.has(bundle, "name");
    boolean signed = PodFields.has(bundle, "signerName");
    if (named && signed) {
      errors.invalid(at, bundle, "only one of name and signerName may be used");
    } else if (named) {
      namedBundle(bundle, at);
    } else if (signed) {
      if (PodFields.text(bundle, "signerName").isEmpty()) {
        errors.required(at.child("signerName"), "must be a valid signer name");
      }
      LabelSelectorRules.check(bundle.path("labelSelector"), at.child("labelSelector"), errors);
    } else {
      errors.required(at, "either name or signerName must be specified");
    }
    PodFields.required(bundle, "path", at, errors);
    String target = PodFields.text(bundle, "path");
    VolumePathRules.descendingNotReserved(target, at.child("path"), errors);
    unique(target, target);
  }

  private void namedBundle(ObjectNode bundle, FieldPath at) {
    String name = PodFields.text(bundle, "name");
    if (name.isEmpty()) {
      errors.required(at.child("name"), "must be a valid object name");
    }
    for (String reason : NameRules.dns1123Subdomain(name.replace(':', '.'))) {
      errors.invalid(at.child("name"), name, "not a valid clustertrustbundlename: " + reason);
    }
    if (PodFields.has(bundle, "labelSelector")) {
      errors.invalidLiteral(
          at.child("labelSelector"),
          GoComposites.labelSelector(bundle.path("labelSelector")),
          "labelSelector must be unset if name is specified");
    }
  }
}
