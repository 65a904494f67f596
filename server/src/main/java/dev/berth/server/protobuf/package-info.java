/// `application/vnd.kubernetes.protobuf`: objects, lists, options and watch events in the binary
/// form that Go clients prefer.
///
/// Start at {@link dev.berth.server.protobuf.ProtobufCodec}. Both directions walk the type tables,
/// which hold the field numbers, so that no message classes are generated. Fields without a number
/// (Berth's own) do not travel in this form.
@NullMarked
package dev.berth.server.protobuf;

import org.jspecify.annotations.NullMarked;
