package dev.berth.server.http;

import dev.berth.server.admission.plugins.AdmissionConfig;
import dev.berth.server.audit.AuditConfig;
import dev.berth.server.http.guard.InflightLimits;
import dev.berth.server.http.transport.HttpLimits;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Configuration of the HTTP server: limits, authentication and auditing.
///
/// @param tokenFile static bearer tokens (`--token-auth-file`); null for none
/// @param audit policy and output of the audit log; null disables it
public record HttpConfig(
    HttpLimits limits,
    InflightLimits inflight,
    @Nullable Path tokenFile,
    AdmissionConfig admission,
    @Nullable AuditConfig audit) {
  public static final HttpConfig STANDARD =
      new HttpConfig(
          HttpLimits.STANDARD, InflightLimits.STANDARD, null, AdmissionConfig.STANDARD, null);

  public HttpConfig with(HttpLimits changed) {
    return new HttpConfig(changed, inflight, tokenFile, admission, audit);
  }

  public HttpConfig with(InflightLimits changed) {
    return new HttpConfig(limits, changed, tokenFile, admission, audit);
  }

  public HttpConfig withTokenFile(@Nullable Path file) {
    return new HttpConfig(limits, inflight, file, admission, audit);
  }

  public HttpConfig with(AdmissionConfig changed) {
    return new HttpConfig(limits, inflight, tokenFile, changed, audit);
  }

  public HttpConfig withAudit(@Nullable AuditConfig changed) {
    return new HttpConfig(limits, inflight, tokenFile, admission, changed);
  }
}
