/// Events of the API, written alike by controllers, scheduler and agent: similar ones are combined,
/// repeated ones are counted, and one object cannot fill the store.
///
/// Start reading at `EventRecorder`. Who calls it decides about threads, queues and further tries.
@NullMarked
package dev.berth.client.events;

import org.jspecify.annotations.NullMarked;
