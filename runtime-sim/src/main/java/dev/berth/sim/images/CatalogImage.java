package dev.berth.sim.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// An image as the simulated registry has it.
///
/// @param isIndex whether the entries hang below an index, so that one of them must fit
/// @param variants one entry per platform, in the index's order
/// @param command what it runs when the container does not say
/// @param user the user's id, or empty for root
/// @param pullTime how long a pull takes, if that is fixed
/// @param credentials `user:password` that a pull must bring; may be empty
/// @param present whether the runtime has it from the start
public record CatalogImage(
    ImageReference reference,
    boolean isIndex,
    List<Variant> variants,
    List<String> command,
    Optional<Long> user,
    Optional<Duration> pullTime,
    String credentials,
    boolean present) {
  /// An entry of the index.
  public record Variant(ImagePlatform platform, long size, int layers) {}

  public CatalogImage {
    variants = List.copyOf(variants);
    command = List.copyOf(command);
  }

  /// The digest of the index, or of the only manifest.
  public String digest() {
    return isIndex ? sha256("index " + reference + variants) : id(variants.getFirst());
  }

  /// One entry of the index as an image of its own, which a pull by digest gets.
  CatalogImage entry(Variant variant) {
    return new CatalogImage(
        reference, false, List.of(variant), command, user, pullTime, credentials, false);
  }

  /// The digest of an entry and of its configuration, by which runtimes know an image.
  public String id(Variant variant) {
    return sha256("config " + reference + variant);
  }

  private static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
