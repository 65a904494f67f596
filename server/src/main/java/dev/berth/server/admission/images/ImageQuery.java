package dev.berth.server.admission.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.credentials.RegistryCredentials;
import java.util.List;

/// An image that a pod names, and the credentials that the pod brings for it.
record ImageQuery(ImageReference image, List<RegistryCredentials> credentials) {
  ImageQuery {
    credentials = List.copyOf(credentials);
  }
}
