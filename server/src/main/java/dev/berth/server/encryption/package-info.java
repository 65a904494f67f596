/// Encryption of stored values: reads upstream's EncryptionConfiguration ([EncryptionConfigReader])
/// and turns values into what the store keeps, and back ([ValueEncryption]).
///
/// Knows nothing of objects: a value is bytes with a key.
@NullMarked
package dev.berth.server.encryption;

import org.jspecify.annotations.NullMarked;
