package dev.berth.cri.streaming;

/// The result of a remote command, as the error channel carries it: a `Status` object since version
/// 4 of the protocol. kubectl takes its exit code from the cause `ExitCode`.
final class RemoteStatus {
  private RemoteStatus() {}

  static String of(int exitCode) {
    if (exitCode == 0) {
      return "{\"metadata\":{},\"status\":\"Success\"}";
    }
    return """
        {"metadata":{},"status":"Failure","message":"%s","reason":"NonZeroExitCode",\
        "details":{"causes":[{"reason":"ExitCode","message":"%d"}]}}"""
        .formatted(text(exitCode), exitCode);
  }

  static String text(int exitCode) {
    return "command terminated with non-zero exit code: exit status " + exitCode;
  }
}
