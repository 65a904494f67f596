package dev.berth.registry;

import java.util.Optional;
import java.util.regex.Pattern;

/// The name of an image in full: host, repository, and a tag, a digest or both.
///
/// @param digest with its algorithm; may be empty
/// @param tag may be empty when there is a digest
public record ImageReference(String repository, String tag, String digest) {
  private static final String DOCKER = "docker.io/";
  private static final String LIBRARY = "docker.io/library/";
  private static final String PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  private static final Pattern REPOSITORY =
      Pattern.compile(
          "(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?(?:/"
              + PART
              + ")+");
  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

  /// Of any algorithm: a runtime may know more of them than this client.
  private static final Pattern DIGEST =
      Pattern.compile("[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}");

  /// The repository in full of what a person wrote, or the text itself when it is no name.
  public static String repositoryOf(String text) {
    return parse(text).map(ImageReference::repository).orElse(text);
  }

  /// Reads a reference as people write it: `nginx` is `docker.io/library/nginx:latest`.
  public static Optional<ImageReference> parse(String text) {
    int at = text.indexOf('@');
    String digest = at < 0 ? "" : text.substring(at + 1);
    String named = at < 0 ? text : text.substring(0, at);
    int colon = named.lastIndexOf(':');
    boolean tagged = colon > named.lastIndexOf('/');
    String tag = tagged ? named.substring(colon + 1) : digest.isEmpty() ? "latest" : "";
    String repository = inFull(tagged ? named.substring(0, colon) : named);
    boolean valid =
        REPOSITORY.matcher(repository).matches()
            && ((tag.isEmpty() && !tagged) || TAG.matcher(tag).matches())
            && (digest.isEmpty() || DIGEST.matcher(digest).matches());
    return valid ? Optional.of(new ImageReference(repository, tag, digest)) : Optional.empty();
  }

  /// Why `parse` refused it, in containerd's words.
  public static String complaint(String text) {
    boolean upper = text.chars().anyMatch(Character::isUpperCase);
    return "failed to parse image reference \"%s\": invalid reference format%s"
        .formatted(text, upper ? ": repository name must be lowercase" : "");
  }

  /// The host, as references name it: `docker.io`, `registry.example.com:5000`.
  public String registry() {
    return repository.substring(0, repository.indexOf('/'));
  }

  /// The repository without the host: `library/nginx`.
  public String name() {
    return repository.substring(repository.indexOf('/') + 1);
  }

  /// As people write it: without Docker's registry, which is the one that goes without saying.
  public String familiar() {
    String full = toString();
    return full.startsWith(LIBRARY)
        ? full.substring(LIBRARY.length())
        : full.startsWith(DOCKER) ? full.substring(DOCKER.length()) : full;
  }

  /// The same repository, with the digest in place of tag and digest.
  public ImageReference withDigest(String other) {
    return new ImageReference(repository, "", other);
  }

  private static String inFull(String repository) {
    int slash = repository.indexOf('/');
    String first = slash < 0 ? "" : repository.substring(0, slash);
    boolean host = first.contains(".") || first.contains(":") || first.equals("localhost");
    if (host) {
      return repository;
    }
    return "docker.io/" + (slash < 0 ? "library/" : "") + repository;
  }

  @Override
  public String toString() {
    return repository + (tag.isEmpty() ? "" : ":" + tag) + (digest.isEmpty() ? "" : "@" + digest);
  }
}
