// Files that the host delivers, as the kubelet lays them out: NAME/..TIME/files, NAME/..data -> ..TIME, and a link for
// each first part of a path.
#include <dirent.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "guest.h"

struct tree {
  struct tree *next;
  uint32_t number;
  int directory;  // /trees/.NUMBER.COUNT, where the entries are collected
  char name[MAX_NAME + 1], staging[64];
};

static struct tree *trees;

static int open_trees(void) { return open("/trees", O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

static void remove_tree(const char *name) {
  int all = open_trees();
  mkdirat(all, ".trash", 0700);
  int trash = openat(all, ".trash", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  remove_all(all, name, trash);
  close(trash);
  close(all);
}

static void drop(struct tree *tree) {
  struct tree **at = &trees;
  while (*at != tree) at = &(*at)->next;
  *at = tree->next;
  close(tree->directory);
  remove_tree(tree->staging);
  free(tree);
}

void trees_drop(void) {
  while (trees) drop(trees);
}

static struct tree *find(struct request request, uint32_t number) {
  struct tree *tree = trees;
  while (tree && tree->number != number) tree = tree->next;
  if (!tree) answer_failure(request, NOT_FOUND, "no tree %u was begun", number);
  return tree;
}

void tree_begin(struct request request, uint32_t number, const char *name) {
  static unsigned count;
  if (!valid_name(name)) {
    answer_failure(request, INVALID, "bad name of a volume: %s", name);
    return;
  }
  struct tree *tree = allocate(sizeof *tree);
  tree->number = number;
  strcpy(tree->name, name);
  snprintf(tree->staging, sizeof tree->staging, ".%u.%u", number, count++);
  int all = open_trees();
  mkdirat(all, tree->staging, 0755);
  tree->directory = openat(all, tree->staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  close(all);
  tree->next = trees;
  trees = tree;
  if (tree->directory >= 0) {
    answer_ok(request);
  } else {
    answer_failure(request, FAILED, "cannot make volume %s: %m", name);
    drop(tree);
  }
}

// Opens the directory of a path, making what is missing, and leaves the last part in `last`.
static int open_parent(int root, const char *path, const char **last) {
  struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
  int parent = fcntl(root, F_DUPFD_CLOEXEC, 0);
  *last = path;
  for (const char *end; parent >= 0 && (end = strchr(*last, '/')); *last = end + 1) {
    char part[256];
    size_t length = (size_t)(end - *last);
    errno = EINVAL;
    int next = -1;
    if (length > 0 && length < sizeof part) {
      memcpy(part, *last, length);
      part[length] = 0;
      mkdirat(parent, part, 0755);
      next = (int)syscall(SYS_openat2, parent, part, &how, sizeof how);
    }
    int error = errno;
    close(parent);
    errno = error;
    parent = next;
  }
  return parent;
}

static bool write_bytes(int fd, struct bytes bytes) {
  while (bytes.length > 0) {
    ssize_t written = write(fd, bytes.data, bytes.length);
    if (written <= 0) return false;
    bytes.data += written;
    bytes.length -= (uint32_t)written;
  }
  return true;
}

static bool add_file(int parent, const char *name, uint8_t kind, struct reader *reader) {
  bool made = kind == 1;
  uint32_t mode = made ? get32(reader) : 0, uid = made ? get32(reader) : 0, gid = made ? get32(reader) : 0;
  struct bytes bytes = get_bytes(reader);
  int flags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC | (made ? O_CREAT | O_TRUNC : O_APPEND);
  int fd = openat(parent, name, flags, 0600);
  bool fine = fd >= 0 && write_bytes(fd, bytes);
  if (made) fine = fine && fchown(fd, uid, gid) == 0 && fchmod(fd, mode & 07777) == 0;
  int error = errno;
  if (fd >= 0) close(fd);
  errno = error;
  return fine;
}

static bool add_directory(int parent, const char *name, struct reader *reader) {
  uint32_t mode = get32(reader), uid = get32(reader), gid = get32(reader);
  if (mkdirat(parent, name, 0700) != 0 && errno != EEXIST) return false;
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool fine = fd >= 0 && fchown(fd, uid, gid) == 0 && fchmod(fd, mode & 07777) == 0;
  if (fd >= 0) close(fd);
  return fine;
}

static bool good_path(const char *path) {
  if (!*path || *path == '/' || strncmp(path, "..", 2) == 0) return false;
  for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
    size_t length = strcspn(part, "/");
    if (length == 0 || length > 255 || (length == 1 && *part == '.') || (length == 2 && !memcmp(part, "..", 2))) {
      return false;
    }
  }
  return true;
}

static bool add_entry(struct tree *tree, const char *path, struct reader *reader) {
  const char *last;
  uint8_t kind = get8(reader);
  errno = EINVAL;
  int parent = good_path(path) && !reader->failed ? open_parent(tree->directory, path, &last) : -1;
  bool fine = false;
  if (parent >= 0 && (kind == 1 || kind == 4)) fine = add_file(parent, last, kind, reader);
  else if (parent >= 0 && kind == 2) fine = add_directory(parent, last, reader);
  else if (parent >= 0 && kind == 3) fine = symlinkat(get_string(reader), parent, last) == 0;
  int error = errno;
  if (parent >= 0) close(parent);
  errno = error;
  return fine && !reader->failed;
}

void tree_add(struct request request, uint32_t number, struct reader *reader) {
  struct tree *tree = find(request, number);
  if (!tree) return;
  for (uint32_t count = get_count(reader, 5); count > 0; count--) {
    const char *path = get_string(reader);
    if (add_entry(tree, path, reader)) continue;
    enum status status = errno == ENOSPC || errno == EDQUOT || errno == ENOMEM ? FAILED : INVALID;
    answer_failure(request, status, "cannot make %.300s of volume %s: %m", path, tree->name);
    drop(tree);
    return;
  }
  answer_ok(request);
}

// Links to the first parts of paths that are there now; programs may have changed the volume meanwhile.
static void make_links(int volume, int files) {
  DIR *entries = fdopendir(fcntl(files, F_DUPFD_CLOEXEC, 0));
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    char target[300], now[300];
    if (strncmp(entry->d_name, "..", 2) == 0 || strcmp(entry->d_name, ".") == 0) continue;
    snprintf(target, sizeof target, "..data/%s", entry->d_name);
    ssize_t length = readlinkat(volume, entry->d_name, now, sizeof now);
    if (length == (ssize_t)strlen(target) && memcmp(now, target, (size_t)length) == 0) continue;
    symlinkat(target, volume, "..link");
    renameat(volume, "..link", volume, entry->d_name);
  }
  if (entries) closedir(entries);
}

static void remove_old(int volume, int files, const char *current) {
  int all = open_trees();
  mkdirat(all, ".trash", 0700);
  int trash = openat(all, ".trash", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = fdopendir(fcntl(volume, F_DUPFD_CLOEXEC, 0));
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    const char *name = entry->d_name;
    char target[300];
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "..data") == 0 || !strcmp(name, current)) {
      continue;
    }
    ssize_t length = readlinkat(volume, name, target, sizeof target);
    bool stale = length > 7 && memcmp(target, "..data/", 7) == 0 && faccessat(files, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    if (strncmp(name, "..", 2) == 0 || stale) remove_all(volume, name, trash);
  }
  if (entries) closedir(entries);
  close(trash);
  close(all);
}

void tree_commit(struct request request, uint32_t number) {
  static unsigned count;
  struct tree *tree = find(request, number);
  if (!tree) return;
  char current[64], time_text[32];
  time_t now = time(NULL);
  strftime(time_text, sizeof time_text, "%Y_%m_%d_%H_%M_%S", gmtime(&now));
  snprintf(current, sizeof current, "..%s.%u", time_text, count++);
  int all = open_trees();
  mkdirat(all, tree->name, 0755);
  int volume = openat(all, tree->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool fine = volume >= 0 && renameat(all, tree->staging, volume, current) == 0;
  if (fine) {
    unlinkat(volume, "..data_tmp", 0);
    fine = symlinkat(current, volume, "..data_tmp") == 0 && renameat(volume, "..data_tmp", volume, "..data") == 0;
  }
  if (fine) {
    make_links(volume, tree->directory);
    remove_old(volume, tree->directory, current);
    answer_ok(request);
  } else {
    answer_failure(request, FAILED, "cannot change volume %s: %m", tree->name);
  }
  if (volume >= 0) close(volume);
  close(all);
  drop(tree);
}

void tree_remove(struct request request, const char *name) {
  if (!valid_name(name)) {
    answer_failure(request, INVALID, "bad name of a volume: %s", name);
    return;
  }
  remove_tree(name);
  answer_ok(request);
}
