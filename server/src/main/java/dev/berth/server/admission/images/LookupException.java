package dev.berth.server.admission.images;

/// What an image has could not be found out; the message says why.
final class LookupException extends Exception {
  private static final long serialVersionUID = 1;

  LookupException(String message) {
    super(message);
  }
}
