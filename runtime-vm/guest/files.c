// Removes what a container wrote, however deep it is.
#include <dirent.h>
#include <sys/stat.h>

#include "guest.h"

static unsigned renamed;

static void trash_name(char *name, size_t size, unsigned number) {
  static int64_t first;
  if (!first) first = now_nanos();
  snprintf(name, size, "%lld.%d.%u", (long long)first, getpid(), number);
}

static void empty_directory(int directory, int trash) {
  DIR *entries = fdopendir(dup(directory));
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (unlinkat(directory, entry->d_name, 0) == 0) continue;
    if (unlinkat(directory, entry->d_name, AT_REMOVEDIR) == 0) continue;
    // Directories are not visited where they are but moved up, so depth costs neither stack nor descriptors.
    char name[64];
    trash_name(name, sizeof name, renamed++);
    renameat(directory, entry->d_name, trash, name);
  }
  if (entries) closedir(entries);
}

// Moves `name` to the trash, so that the name is free whatever follows, and empties the trash.
bool remove_all(int directory, const char *name, int trash) {
  char first[64];
  unsigned from = renamed;
  trash_name(first, sizeof first, renamed++);
  if (renameat(directory, name, trash, first) != 0) return errno == ENOENT;
  for (unsigned at = from; at < renamed; at++) {
    char entry[64];
    trash_name(entry, sizeof entry, at);
    int below = openat(trash, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0) {
      empty_directory(below, trash);
      close(below);
    }
    if (unlinkat(trash, entry, AT_REMOVEDIR) != 0) unlinkat(trash, entry, 0);
  }
  return true;
}
