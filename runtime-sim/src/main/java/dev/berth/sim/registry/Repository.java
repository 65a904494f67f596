package dev.berth.sim.registry;

import dev.berth.sim.call.Refusal;
import dev.berth.sim.images.ImageReference;
import dev.berth.sim.images.RegistryHost;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;

/// One repository of one registry.
record Repository(RegistryHost registry, String name, Transfer transfer) {
  private static final String MANIFESTS =
      String.join(
          ", ",
          List.of(
              "application/vnd.oci.image.index.v1+json",
              "application/vnd.docker.distribution.manifest.list.v2+json",
              "application/vnd.oci.image.manifest.v1+json",
              "application/vnd.docker.distribution.manifest.v2+json"));

  /// What a tag or digest stands for: an index, or one manifest.
  Document resolve(ImageReference reference) {
    String wanted = reference.digest().isEmpty() ? reference.tag() : reference.digest();
    HttpResponse<byte[]> answer = transfer.get(path("manifests/" + wanted), MANIFESTS);
    if (answer.statusCode() == 404) {
      throw Refusal.notFound(reference + ": not found");
    }
    Document document = Document.of(body(answer, "manifests " + wanted));
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

  Document manifest(String digest) {
    HttpResponse<byte[]> answer = transfer.get(path("manifests/" + known(digest)), MANIFESTS);
    return readable(Document.of(body(answer, "manifests " + digest)).checked("manifest", digest));
  }

  Document blob(String digest) {
    HttpResponse<byte[]> answer = transfer.get(path("blobs/" + known(digest)), "*/*");
    return Document.of(body(answer, "blobs " + digest)).checked("config", digest);
  }

  /// What others wrote must not lead anywhere else.
  private static String known(String digest) {
    if (!digest.matches("sha256:[0-9a-f]{64}")) {
      throw Refusal.unknown("unsupported digest \"%s\" in a manifest".formatted(digest));
    }
    return digest;
  }

  private URI path(String rest) {
    return registry.endpoint().resolve("/v2/" + name + "/" + rest);
  }

  private byte[] body(HttpResponse<byte[]> answer, String what) {
    return switch (answer.statusCode()) {
      case 200 -> answer.body();
      case 404 -> throw Refusal.notFound("failed to copy: %s: not found".formatted(what));
      default ->
          throw Refusal.unknown(
              "pulling from host %s failed with status code [%s]: %d %s"
                  .formatted(
                      registry.host(), what, answer.statusCode(), reason(answer.statusCode())));
    };
  }

  private static Document readable(Document document) {
    if (!document.isManifest()) {
      throw Refusal.unknown("the registry answered neither an index nor a manifest of schema 2");
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
