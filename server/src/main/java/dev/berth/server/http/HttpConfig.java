package dev.berth.server.http;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What an administrator decides about the path of a request.
///
/// @param tokenFile tells users by their tokens; null for none
public record HttpConfig(HttpLimits limits, InflightLimits inflight, @Nullable Path tokenFile) {
  public static final HttpConfig STANDARD =
      new HttpConfig(HttpLimits.STANDARD, InflightLimits.STANDARD, null);

  public HttpConfig with(HttpLimits changed) {
    return new HttpConfig(changed, inflight, tokenFile);
  }

  public HttpConfig with(InflightLimits changed) {
    return new HttpConfig(limits, changed, tokenFile);
  }

  public HttpConfig withTokenFile(@Nullable Path file) {
    return new HttpConfig(limits, inflight, file);
  }
}
