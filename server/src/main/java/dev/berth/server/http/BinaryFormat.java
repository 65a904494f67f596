package dev.berth.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.schema.ObjectType;

/// `application/vnd.kubernetes.protobuf`, as far as the wire needs it.
interface BinaryFormat {
  /// A server that speaks text only.
  BinaryFormat NONE =
      new BinaryFormat() {
        @Override
        public boolean isSupported() {
          return false;
        }

        @Override
        public ObjectNode decode(ObjectType type, byte[] body) {
          throw ApiException.unsupportedMediaType(
              "the body of the request was in an unknown format - accepted media types include:"
                  + " application/json, application/yaml");
        }

        @Override
        public byte[] encode(ObjectNode object) {
          throw new IllegalStateException("not negotiated");
        }

        @Override
        public byte[] watchFrame(String type, ObjectNode object) {
          throw new IllegalStateException("not negotiated");
        }
      };

  boolean isSupported();

  ObjectNode decode(ObjectType type, byte[] body);

  /// An object, list, table or status; its kind and version are in the tree.
  byte[] encode(ObjectNode object);

  byte[] watchFrame(String type, ObjectNode object);
}
