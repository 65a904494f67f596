/// End-to-end tests: unmodified client libraries.
@NullMarked
package dev.berth.checks.clients;

import org.jspecify.annotations.NullMarked;
