package dev.berth.store.memory;

import org.jspecify.annotations.Nullable;

/// A queue with access by index, for binary search in the history; grows as needed, the caller
/// bounds it. Not safe for several threads.
final class IndexedQueue<T> {
  /// The length is a power of two, so that a mask wraps the index.
  private @Nullable Object[] slots = new @Nullable Object[16];

  private int head;
  private int size;

  int size() {
    return size;
  }

  void addLast(T item) {
    if (size == slots.length) {
      resize(slots.length * 2);
    }
    slots[(head + size++) & (slots.length - 1)] = item;
  }

  @SuppressWarnings("unchecked") // only addLast writes, only live places are read
  T get(int index) {
    Object item = slots[(head + index) & (slots.length - 1)];
    if (index >= size || item == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return (T) item;
  }

  T removeFirst() {
    T first = get(0);
    slots[head] = null;
    head = (head + 1) & (slots.length - 1);
    size--;
    if (slots.length > 1024 && size < slots.length / 8) {
      resize(slots.length / 4);
    }
    return first;
  }

  private void resize(int capacity) {
    @Nullable Object[] larger = new @Nullable Object[capacity];
    for (int i = 0; i < size; i++) {
      larger[i] = slots[(head + i) & (slots.length - 1)];
    }
    slots = larger;
    head = 0;
  }
}
