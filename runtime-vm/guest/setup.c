// The root file system of a container, made by its child before the program starts.
#include <dirent.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "guest.h"

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

// Below `root` whatever the path and its symbolic links say; a link to /etc leads to the root's own /etc.
int open_in_root(int root, const char *path, uint64_t flags) {
  struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, root, *path ? path : ".", &how, sizeof how);
}

// Opens a path and makes what is missing of it. Links that lead nowhere are refused.
int make_in_root(int root, const char *path, bool directory, mode_t mode) {
  int parent = open_in_root(root, ".", O_PATH | O_DIRECTORY);
  char prefix[4096] = "";
  size_t used = 0;
  if (strlen(path) >= sizeof prefix - 1) {
    errno = ENAMETOOLONG;
    return -1;
  }
  while (parent >= 0 && *(path += strspn(path, "/"))) {
    size_t length = strcspn(path, "/");
    bool last = !path[length + strspn(path + length, "/")];
    if (used) prefix[used++] = '/';
    memcpy(prefix + used, path, length);
    prefix[used + length] = 0;
    int next = open_in_root(root, prefix, O_PATH);
    if (next < 0 && errno == ENOENT) {
      if (last && !directory) mknodat(parent, prefix + used, S_IFREG | 0644, 0);
      else mkdirat(parent, prefix + used, mode);
      next = open_in_root(root, prefix, O_PATH);
    }
    int error = errno;
    close(parent);
    errno = error;
    parent = next;
    used += length;
    path += length;
  }
  return parent;
}

static void mount_at(int root, const char *path, const char *type, unsigned long flags, const char *options) {
  int directory = make_in_root(root, path, true, 0755);
  char name[32];
  snprintf(name, sizeof name, "/proc/self/fd/%d", directory);
  if (directory < 0 || mount(type, name, type, flags, options) != 0) {
    child_fail(FAILED, "cannot mount %s at %s: %m", type, path);
  }
  close(directory);
}

static bool bind(int source, int destination, bool recursive, bool read_only) {
  int tree = open_tree(source, "",
                       AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | (recursive ? AT_RECURSIVE : 0));
  struct mount_attr change = {.attr_set = MOUNT_ATTR_RDONLY};
  bool fine = tree >= 0 && (!read_only || mount_setattr(tree, "", AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0),
                                                        &change, sizeof change) == 0);
  fine = fine && move_mount(tree, "", destination, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0;
  int error = errno;
  if (tree >= 0) close(tree);
  errno = error;
  return fine;
}

// Volumes and images live in the mount namespace of the loop, for all containers.
static void prepare_sources(const struct spec *spec) {
  int lock = open("/run/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  flock(lock, LOCK_EX);  // containers are created side by side
  const char *why = mount_image(spec->disk);
  if (why) child_fail(FAILED, "cannot use the image on disk %s: %s", spec->disk, why);
  for (uint32_t i = 0; i < spec->mount_count; i++) {
    const struct mount_spec *mount_spec = &spec->mounts[i];
    char path[MAX_NAME + 64], options[64];
    if (mount_spec->source == SOURCE_IMAGE) {
      why = mount_image(mount_spec->name);
      if (why) child_fail(FAILED, "cannot use the image on disk %s: %s", mount_spec->name, why);
      continue;
    }
    if (mount_spec->source != SOURCE_SCRATCH && mount_spec->source != SOURCE_MEMORY) continue;
    bool memory = mount_spec->source == SOURCE_MEMORY;
    snprintf(path, sizeof path, "%s/%s", memory ? "/memory" : "/scratch/volumes", mount_spec->name);
    if (mkdir(path, 0700) != 0) {
      if (errno == EEXIST) continue;
      child_fail(FAILED, "cannot make volume %s: %m", mount_spec->name);
    }
    if (mount_spec->bytes) snprintf(options, sizeof options, "size=%llu", (unsigned long long)mount_spec->bytes);
    if (memory && mount("tmpfs", path, "tmpfs", 0, mount_spec->bytes ? options : NULL) != 0) {
      child_fail(FAILED, "cannot make volume %s in memory: %m", mount_spec->name);
    }
    if (chown(path, mount_spec->uid, mount_spec->gid) != 0 || chmod(path, mount_spec->mode) != 0) {
      child_fail(FAILED, "cannot give volume %s to %u:%u: %m", mount_spec->name, mount_spec->uid, mount_spec->gid);
    }
  }
  close(lock);
}

static int mount_root(const struct spec *spec) {
  char path[MAX_NAME + 64], lower[MAX_NAME + 64], options[4 * MAX_NAME];
  struct stat info;
  snprintf(path, sizeof path, "/scratch/containers/%s", spec->id);
  snprintf(lower, sizeof lower, "/images/%s", spec->disk);
  snprintf(options, sizeof options, "%s/upper", path);
  // The root directory is the one of the upper layer.
  if (stat(lower, &info) != 0 || mkdir(options, 0755) != 0 || chmod(options, info.st_mode & 07777) != 0 ||
      chown(options, info.st_uid, info.st_gid) != 0) {
    child_fail(FAILED, "cannot make %s: %m", options);
  }
  snprintf(options, sizeof options, "%s/work", path);
  mkdir(options, 0700);
  snprintf(options, sizeof options, "%s/files", path);
  mkdir(options, 0700);
  // volatile: the scratch disk never outlives the machine, so nothing has to be on it in time.
  snprintf(options, sizeof options, "volatile,lowerdir=%s,upperdir=%s/upper,workdir=%s/work", lower, path, path);
  if (mount("overlay", "/run/root", "overlay", 0, options) != 0) {
    child_fail(FAILED, "cannot mount the root file system: %m");
  }
  return open("/run/root", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void make_node(int devices, const char *name, mode_t type, unsigned major, unsigned minor) {
  mknodat(devices, name, type | 0666, makedev(major, minor));
}

// A privileged container gets the devices of the guest.
static void copy_devices(int devices) {
  DIR *all = opendir("/dev");
  for (struct dirent *entry; all && (entry = readdir(all));) {
    struct stat info;
    if (fstatat(dirfd(all), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISCHR(info.st_mode) && !S_ISBLK(info.st_mode)) continue;
    if (strcmp(entry->d_name, "console") == 0 || strcmp(entry->d_name, "ptmx") == 0) continue;
    mknodat(devices, entry->d_name, info.st_mode, info.st_rdev);
  }
  if (all) closedir(all);
}

static void mount_devices(int root, bool privileged) {
  mount_at(root, "/dev", "tmpfs", MS_NOSUID | MS_STRICTATIME, "mode=0755,size=64k");
  int devices = open_in_root(root, "/dev", O_RDONLY | O_DIRECTORY);
  make_node(devices, "null", S_IFCHR, 1, 3);
  make_node(devices, "zero", S_IFCHR, 1, 5);
  make_node(devices, "full", S_IFCHR, 1, 7);
  make_node(devices, "random", S_IFCHR, 1, 8);
  make_node(devices, "urandom", S_IFCHR, 1, 9);
  make_node(devices, "tty", S_IFCHR, 5, 0);
  symlinkat("/proc/self/fd", devices, "fd");
  symlinkat("/proc/self/fd/0", devices, "stdin");
  symlinkat("/proc/self/fd/1", devices, "stdout");
  symlinkat("/proc/self/fd/2", devices, "stderr");
  symlinkat("pts/ptmx", devices, "ptmx");
  if (privileged) copy_devices(devices);
  close(devices);
  mount_at(root, "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620,gid=5");
  mount_at(root, "/dev/mqueue", "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
  int shared = open("/shm", O_PATH | O_DIRECTORY | O_CLOEXEC), here = make_in_root(root, "/dev/shm", true, 0755);
  if (!bind(shared, here, false, false)) child_fail(FAILED, "cannot mount /dev/shm: %m");
  close(shared);
  close(here);
}

static void mount_kernel(int root, bool privileged) {
  unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC, read_only = privileged ? 0 : MS_RDONLY;
  mount_at(root, "/proc", "proc", flags, NULL);
  mount_devices(root, privileged);
  mount_at(root, "/sys", "sysfs", flags | read_only, NULL);
  mount_at(root, "/sys/fs/cgroup", "cgroup2", flags | read_only, NULL);
}

static int open_source(const struct spec *spec, const struct mount_spec *mount_spec) {
  static const char *const places[] = {[SOURCE_TREE] = "/trees",
                                       [SOURCE_SCRATCH] = "/scratch/volumes",
                                       [SOURCE_MEMORY] = "/memory",
                                       [SOURCE_IMAGE] = "/images"};
  char path[3 * MAX_NAME];
  if (mount_spec->source == SOURCE_FILE) {
    snprintf(path, sizeof path, "/scratch/containers/%s/files/%s", spec->id, mount_spec->name);
    // Anybody in the container may write its termination message.
    int made = open(path, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (made >= 0) close(made);
  } else {
    snprintf(path, sizeof path, "%s/%s", places[mount_spec->source], mount_spec->name);
  }
  int whole = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
  if (whole < 0) child_fail(NOT_FOUND, "the guest has no volume %s", mount_spec->name);
  if (!*mount_spec->sub_path) return whole;
  int part = open_in_root(whole, mount_spec->sub_path, O_PATH);
  bool writable = mount_spec->source == SOURCE_SCRATCH || mount_spec->source == SOURCE_MEMORY;
  struct stat info;
  if (part < 0 && errno == ENOENT && writable && fstat(whole, &info) == 0) {
    part = make_in_root(whole, mount_spec->sub_path, true, info.st_mode & 07777);
  }
  if (part < 0) {
    child_fail(INVALID, "cannot use subPath %s of volume %s: %m", mount_spec->sub_path, mount_spec->name);
  }
  close(whole);
  return part;
}

static void mount_volume(int root, const struct spec *spec, const struct mount_spec *mount_spec) {
  int source = open_source(spec, mount_spec);
  struct stat info;
  if (fstat(source, &info) != 0) child_fail(FAILED, "cannot look at volume %s: %m", mount_spec->name);
  if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)) {
    child_fail(INVALID, "%s of volume %s is neither a file nor a directory", mount_spec->sub_path, mount_spec->name);
  }
  int destination = make_in_root(root, mount_spec->destination, S_ISDIR(info.st_mode), 0755);
  if (destination < 0 || !bind(source, destination, true, mount_spec->read_only)) {
    child_fail(INVALID, "cannot mount volume %s at %s: %m", mount_spec->name, mount_spec->destination);
  }
  close(source);
  close(destination);
}

static unsigned depth(const char *path) {
  unsigned parts = 0;
  while (*(path += strspn(path, "/"))) {
    parts++;
    path += strcspn(path, "/");
  }
  return parts;
}

// Parents before what is mounted inside them, else in the order of the request.
static void mount_volumes(int root, const struct spec *spec) {
  unsigned deepest = 0;
  for (uint32_t i = 0; i < spec->mount_count; i++) {
    unsigned parts = depth(spec->mounts[i].destination);
    if (parts > deepest) deepest = parts;
    if (parts == 0) child_fail(INVALID, "a volume cannot be mounted at %s", spec->mounts[i].destination);
  }
  for (unsigned level = 1; level <= deepest; level++) {
    for (uint32_t i = 0; i < spec->mount_count; i++) {
      if (depth(spec->mounts[i].destination) == level) mount_volume(root, spec, &spec->mounts[i]);
    }
  }
}

static void hide_paths(int root, const struct spec *spec) {
  for (char **path = spec->read_only; *path; path++) {
    int here = open_in_root(root, *path, O_PATH);
    if (here >= 0 && !bind(here, here, true, true)) child_fail(FAILED, "cannot make %s read-only: %m", *path);
    if (here >= 0) close(here);
  }
  int null = open_in_root(root, "/dev/null", O_PATH);
  for (char **path = spec->masked; *path; path++) {
    int here = open_in_root(root, *path, O_PATH);
    struct stat info;
    if (here < 0 || fstat(here, &info) != 0) continue;
    if (S_ISDIR(info.st_mode)) mount_at(root, *path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=0k");
    else if (!bind(null, here, false, false)) child_fail(FAILED, "cannot hide %s: %m", *path);
    close(here);
  }
  close(null);
}

void setup_container(const struct spec *spec, struct identity *identity) {
  umask(0);
  prepare_sources(spec);
  write_oom_score(spec->limits.oom_score);
  if (unshare(CLONE_NEWNS | CLONE_NEWCGROUP) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
    child_fail(FAILED, "cannot make namespaces: %m");
  }
  int root = mount_root(spec);
  mount_kernel(root, spec->privileged);
  mount_volumes(root, spec);
  if (!spec->privileged) hide_paths(root, spec);
  if (fchdir(root) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 ||
      chdir("/") != 0) {
    child_fail(FAILED, "cannot enter the root file system: %m");
  }
  close(root);
  if (*spec->directory == '/') make_directory(spec->directory);
  else if (*spec->directory) child_fail(INVALID, "working directory %s is not absolute", spec->directory);
  resolve_identity(spec, identity);
  if (spec->tty) child_terminal(identity, true);
  else setsid();
  struct mount_attr change = {.attr_set = MOUNT_ATTR_RDONLY};
  if (spec->read_only_root && mount_setattr(AT_FDCWD, "/", 0, &change, sizeof change) != 0) {
    child_fail(FAILED, "cannot make the root file system read-only: %m");
  }
}
