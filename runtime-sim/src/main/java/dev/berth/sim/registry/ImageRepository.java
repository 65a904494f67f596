package dev.berth.sim.registry;

import dev.berth.registry.ImageReference;
import dev.berth.sim.call.CallRefusal;
import dev.berth.sim.images.RegistryHost;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;

/// One repository of one registry.
record ImageRepository(RegistryHost registry, String name, RegistryTransfer transfer) {
  private static final String MANIFESTS =
      String.join(
          ", ",
          List.of(
              "application/vnd.oci.image.index.v1+json",
              "application/vnd.docker.distribution.manifest.list.v2+json",
              "application/vnd.oci.image.manifest.v1+json",
              "application/vnd.docker.distribution.manifest.v2+json"));

  /// What a tag or digest stands for: an index, or one manifest.
  RegistryDocument resolve(ImageReference reference) {
    String wanted = reference.digest().isEmpty() ? reference.tag() : reference.digest();
    HttpResponse<byte[]> answer = transfer.get(path("manifests/" + wanted), MANIFESTS);
    if (answer.statusCode() == 404) {
      throw CallRefusal.notFound(reference + ": not found");
    }
    checkStatus(answer, "manifests " + wanted);
    RegistryDocument document = RegistryDocument.of(answer.body());
    String promised = reference.digest().isEmpty() ? promised(answer) : reference.digest();
    if (!promised.isEmpty()) {
      document.checked(document.isIndex() ? "index" : "manifest", promised);
    }
    return document.isIndex() ? document : readable(document);
  }

  /// What the registry says its digest is; may be empty.
  private static String promised(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("Docker-Content-Digest").orElse("");
  }

  RegistryDocument manifest(ContentDescriptor manifest) {
    HttpResponse<byte[]> answer =
        transfer.get(path("manifests/" + known(manifest.digest())), MANIFESTS);
    check(answer, manifest);
    return readable(RegistryDocument.of(answer.body()).checked("manifest", manifest.digest()));
  }

  RegistryDocument config(ContentDescriptor config) {
    HttpResponse<byte[]> answer = transfer.get(path("blobs/" + known(config.digest())), "*/*");
    check(answer, config);
    return RegistryDocument.of(answer.body()).checked("config", config.digest());
  }

  /// Reads a layer and throws it away.
  void layer(ContentDescriptor layer) {
    HttpResponse<ByteCount> answer =
        transfer.get(path("blobs/" + known(layer.digest())), "*/*", _ -> ByteCount.subscriber());
    check(answer, layer);
    ByteCount count = answer.body();
    if (layer.size() > 0 && count.size() != layer.size()) {
      throw CallRefusal.precondition(
          "failed commit on ref \"layer-%s\": unexpected commit size %d, expected %d: failed precondition"
              .formatted(layer.digest(), count.size(), layer.size()));
    }
    RegistryDocument.check("layer", count.digest(), layer.digest());
  }

  private void check(HttpResponse<?> answer, ContentDescriptor wanted) {
    if (answer.statusCode() == 404) {
      throw CallRefusal.notFound(
          "failed to copy: httpReadSeeker: failed open: could not fetch content descriptor %s (%s) from remote: not found"
              .formatted(wanted.digest(), wanted.mediaType()));
    }
    checkStatus(answer, "blobs " + wanted.digest());
  }

  /// What others wrote must not lead anywhere else.
  private static String known(String digest) {
    if (!digest.matches("sha256:[0-9a-f]{64}")) {
      throw CallRefusal.unknown("unsupported digest \"%s\" in a manifest".formatted(digest));
    }
    return digest;
  }

  private URI path(String rest) {
    return registry.endpoint().resolve("/v2/" + name + "/" + rest);
  }

  private void checkStatus(HttpResponse<?> answer, String what) {
    if (answer.statusCode() != 200) {
      throw CallRefusal.unknown(
          "pulling from host %s failed with status code [%s]: %d %s"
              .formatted(registry.host(), what, answer.statusCode(), reason(answer.statusCode())));
    }
  }

  private static RegistryDocument readable(RegistryDocument document) {
    if (!document.isManifest()) {
      throw CallRefusal.unknown(
          "the registry answered neither an index nor a manifest of schema 2");
    }
    return document;
  }

  private static String reason(int status) {
    return switch (status) {
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 429 -> "Too Many Requests";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "";
    };
  }
}
