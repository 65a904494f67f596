/// Tests.
@NullMarked
package dev.berth.store.etcd;

import org.jspecify.annotations.NullMarked;
