package dev.berth.server.kinds.catalog;

import static dev.berth.server.kinds.Verb.GET;
import static dev.berth.server.kinds.Verb.PATCH;
import static dev.berth.server.kinds.Verb.UPDATE;

import dev.berth.server.defaults.ObjectDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.strategies.CertificateStrategy;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.certificates.CertificateRequestValidation;
import dev.berth.server.validation.fields.NameRule;

/// The entry of CertificateSigningRequest.
final class CertificateKind {
  private CertificateKind() {}

  static ResourceKind entry(ObjectSchema schema) {
    return KindEntry.of(
            "certificates.k8s.io", "CertificateSigningRequest", "certificatesigningrequests")
        .cluster()
        .shortNames("csr")
        .named(NameRule.PATH_SEGMENT)
        .version("v1", schema.type("certificates.v1.CertificateSigningRequest"))
        .subresource("approval", "CertificateSigningRequest", GET, PATCH, UPDATE)
        .status()
        .selectable("spec.signerName")
        .rules(ObjectDefaults.NONE, new CertificateRequestValidation())
        .strategy(new CertificateStrategy())
        .build();
  }
}
