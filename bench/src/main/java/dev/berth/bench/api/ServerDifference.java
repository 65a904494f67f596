package dev.berth.bench.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/// A feature that one of two servers has and the other does not, so that its cost shows.
///
/// @param file the name of the benchmark and of its report
/// @param title the feature, as in "Cost of ..."
/// @param words the difference of the servers, for the report
/// @param with the flags of the server with the feature
/// @param without the flags of the other server
public record ServerDifference(
    String file, String title, String words, Flags with, List<String> without) {
  private static final String FAIRNESS = "--enable-priority-and-fairness=";

  /// Makes flags and the files that they name.
  public interface Flags {
    List<String> in(Path directory) throws IOException;
  }

  public static ServerDifference fairness() {
    return new ServerDifference(
        "fairness",
        "priority and fairness",
        "`--enable-priority-and-fairness` alone",
        _ -> List.of(FAIRNESS + "true"),
        List.of(FAIRNESS + "false"));
  }

  /// Records every request, which is more than most policies do.
  public static ServerDifference audit() {
    return new ServerDifference(
        "audit",
        "the audit log",
        "an audit log of every request at level Metadata alone",
        directory -> {
          Path policy =
              Files.writeString(
                  directory.resolve("audit-policy.yaml"),
                  """
                  apiVersion: audit.k8s.io/v1
                  kind: Policy
                  rules: [{level: Metadata}]
                  """);
          return List.of(
              "--audit-policy-file=" + policy,
              "--audit-log-path=" + directory.resolve("audit.log"),
              // Bounds the disk: a run writes gigabytes of events otherwise.
              "--audit-log-maxbackup=1");
        },
        List.of());
  }

  /// Encrypts every object, so that the same pods show the cost. Clusters usually encrypt Secrets
  /// only.
  public static ServerDifference encryption() {
    return new ServerDifference(
        "encryption",
        "encryption at rest",
        "encryption of every object with aesgcm alone",
        directory -> {
          byte[] key = new byte[32];
          new SecureRandom().nextBytes(key);
          Path file =
              Files.writeString(
                  directory.resolve("encryption.yaml"),
                  """
                  apiVersion: apiserver.config.k8s.io/v1
                  kind: EncryptionConfiguration
                  resources:
                    - resources: ['*.*']
                      providers:
                        - aesgcm: {keys: [{name: bench, secret: %s}]}
                        - identity: {}
                  """
                      .formatted(Base64.getEncoder().encodeToString(key)));
          return List.of("--encryption-provider-config=" + file);
        },
        List.of());
  }
}
