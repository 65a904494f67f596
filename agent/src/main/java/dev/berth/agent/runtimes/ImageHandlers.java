package dev.berth.agent.runtimes;

import java.util.List;
import java.util.Map;

/// Knows for which handlers images were pulled by digest: runtimes that cannot choose an entry of
/// an index do not report it.
public interface ImageHandlers {
  ImageHandlers NONE = _ -> Map.of();

  /// The images that handlers got at a service, by the digests of their manifests.
  Map<String, List<HandlerImage>> byDigest(ImageService service);
}
