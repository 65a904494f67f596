/// Small durable records about images: private files by key. Start at `RecordDirectory`.
@NullMarked
package dev.berth.agent.images.records;

import org.jspecify.annotations.NullMarked;
