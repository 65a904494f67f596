package dev.berth.server.encryption;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Encrypts and decrypts stored values by the rules of an EncryptionConfiguration.
///
/// The first rule for a resource counts. Its first provider writes; all of its providers read.
/// Resources without a rule are stored as plain text.
///
/// A key is rotated in steps: add the new key behind the old one, move it to the front, rewrite all
/// objects, remove the old one. A value that is not in the form of the first provider is stale,
/// which makes the next write of its object, even without a change, store it again. Safe for any
/// number of threads.
public final class ValueEncryption {
  private static final String FLAG = "--encryption-provider-config";

  /// The prefix of encrypted values; JSON objects never start with it.
  private static final byte[] ENCRYPTED = "k8s:enc:".getBytes(StandardCharsets.US_ASCII);

  /// Bounds the part of an unknown value that a message shows.
  private static final int SCHEME_SHOWN = 128;

  private static final List<ValueProvider> PLAIN = List.of(new ValueProvider.Identity());

  public static final ValueEncryption NONE = new ValueEncryption(List.of(), null);

  record Rule(List<ResourcePattern> resources, List<ValueProvider> providers) {
    Rule {
      resources = List.copyOf(resources);
      providers = List.copyOf(providers);
    }
  }

  /// A decrypted value.
  ///
  /// @param stale whether the current configuration would write it differently
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Opened(byte[] plain, boolean stale) {}

  private final List<Rule> rules;
  private final @Nullable Path source;

  /// Cache of the rule of each resource, by bucket.
  private final Map<String, List<ValueProvider>> byBucket = new ConcurrentHashMap<>();

  ValueEncryption(List<Rule> rules, @Nullable Path source) {
    this.rules = List.copyOf(rules);
    this.source = source;
  }

  /// The file with the keys.
  public Optional<Path> source() {
    return Optional.ofNullable(source);
  }

  /// The bytes to store.
  public byte[] seal(String key, byte[] plain) {
    return switch (providers(key).getFirst()) {
      case ValueProvider.Identity() -> plain;
      case ValueProvider.AesGcm(List<AesGcmKey> keys) -> keys.getFirst().seal(key, plain);
    };
  }

  /// The value that was stored for a key.
  public Opened open(String key, byte[] stored) throws UnreadableValueException {
    List<ValueProvider> providers = providers(key);
    boolean encrypted = isEncrypted(stored);
    for (int i = 0; i < providers.size(); i++) {
      switch (providers.get(i)) {
        case ValueProvider.Identity() -> {
          if (!encrypted) {
            return new Opened(stored, i > 0);
          }
        }
        case ValueProvider.AesGcm(List<AesGcmKey> keys) -> {
          for (int j = 0; j < keys.size(); j++) {
            if (keys.get(j).sealed(stored)) {
              return new Opened(keys.get(j).open(key, stored), i + j > 0);
            }
          }
        }
      }
    }
    // Neither guess is safe: a value in plain text may be forged when only encrypted values are
    // expected.
    throw encrypted ? keyMissing(providers, stored) : plainRefused(key);
  }

  private static boolean isEncrypted(byte[] stored) {
    return stored.length >= ENCRYPTED.length
        && Arrays.equals(stored, 0, ENCRYPTED.length, ENCRYPTED, 0, ENCRYPTED.length);
  }

  private List<ValueProvider> providers(String key) {
    if (rules.isEmpty()) {
      return PLAIN;
    }
    return byBucket.computeIfAbsent(key.substring(0, key.indexOf('/')), this::find);
  }

  private List<ValueProvider> find(String bucket) {
    ResourcePattern exact = ResourcePattern.parse(bucket);
    for (Rule rule : rules) {
      if (rule.resources().stream().anyMatch(pattern -> pattern.matches(exact))) {
        return rule.providers();
      }
    }
    return PLAIN;
  }

  private UnreadableValueException keyMissing(List<ValueProvider> providers, byte[] stored) {
    String scheme = scheme(stored);
    if (!scheme.startsWith(AesGcmKey.SCHEME)) {
      return new UnreadableValueException(
          "it is encrypted as %s, which this server does not support".formatted(scheme),
          "Read it with the server that wrote it, and store it with aesgcm");
    }
    String name = scheme.substring(AesGcmKey.SCHEME.length());
    String given =
        rules.isEmpty()
            ? "this server was started without " + FLAG
            : FLAG + " has " + keyNames(providers) + " for it";
    return new UnreadableValueException(
        "it is encrypted with key \"%s\" of aesgcm, and %s".formatted(name, given),
        "Start the server with %s that has key \"%s\", behind newer keys if there are any"
            .formatted(FLAG, name));
  }

  private static String keyNames(List<ValueProvider> providers) {
    List<String> names = new ArrayList<>();
    for (ValueProvider provider : providers) {
      if (provider instanceof ValueProvider.AesGcm(List<AesGcmKey> keys)) {
        keys.forEach(key -> names.add('"' + key.name() + '"'));
      }
    }
    return names.isEmpty() ? "no key" : "only " + String.join(", ", names);
  }

  /// The prefix up to the fifth colon: `k8s:enc:aesgcm:v1:NAME`.
  private static String scheme(byte[] stored) {
    int colons = 0;
    int end = 0;
    while (end < stored.length && end < SCHEME_SHOWN) {
      if (stored[end] == ':' && ++colons == 5) {
        break;
      }
      end++;
    }
    return new String(stored, 0, end, StandardCharsets.UTF_8);
  }

  private static UnreadableValueException plainRefused(String key) {
    return new UnreadableValueException(
        "it is stored as plain text, and %s has no `identity: {}` for it".formatted(FLAG),
        "Add `- identity: {}` behind the other providers of "
            + ResourcePattern.parse(key.substring(0, key.indexOf('/'))));
  }

  /// The resources in rules that are not among the given ones.
  public List<String> unknown(Set<String> buckets) {
    Set<ResourcePattern> known =
        buckets.stream().map(ResourcePattern::parse).collect(Collectors.toSet());
    return rules.stream()
        .flatMap(rule -> rule.resources().stream())
        .filter(pattern -> known.stream().noneMatch(pattern::matches))
        .map(ResourcePattern::toString)
        .toList();
  }
}
