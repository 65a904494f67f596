/// Rules of ConfigMap and Secret.
///
/// Start at {@link dev.berth.server.validation.config.ConfigMapValidation}.
@NullMarked
package dev.berth.server.validation.config;

import org.jspecify.annotations.NullMarked;
