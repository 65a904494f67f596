/// An API server in memory, with faults on demand, for tests of everything that uses the client.
///
/// Start with [dev.berth.client.fake.FakeApi].
@NullMarked
package dev.berth.client.fake;

import org.jspecify.annotations.NullMarked;
