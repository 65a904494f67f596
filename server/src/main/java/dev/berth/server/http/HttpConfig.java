package dev.berth.server.http;

import dev.berth.server.admission.AdmissionConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What an administrator decides about the path of a request.
///
/// @param tokenFile tells users by their tokens; null for none
public record HttpConfig(
    HttpLimits limits,
    InflightLimits inflight,
    @Nullable Path tokenFile,
    AdmissionConfig admission) {
  public static final HttpConfig STANDARD =
      new HttpConfig(HttpLimits.STANDARD, InflightLimits.STANDARD, null, AdmissionConfig.STANDARD);

  public HttpConfig with(HttpLimits changed) {
    return new HttpConfig(changed, inflight, tokenFile, admission);
  }

  public HttpConfig with(InflightLimits changed) {
    return new HttpConfig(limits, changed, tokenFile, admission);
  }

  public HttpConfig withTokenFile(@Nullable Path file) {
    return new HttpConfig(limits, inflight, file, admission);
  }

  public HttpConfig with(AdmissionConfig changed) {
    return new HttpConfig(limits, inflight, tokenFile, changed);
  }
}
