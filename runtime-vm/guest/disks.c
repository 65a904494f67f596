// Virtio disks by their serial numbers: the scratch disk and images.
#include <dirent.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

#include "guest.h"

enum { EROFS_MAGIC = 0xE0F5E1E2, WAIT_MILLIS = 5000 };

static bool find_disk(const char *serial, char *path, size_t size) {
  DIR *disks = opendir("/sys/block");
  bool found = false;
  for (struct dirent *disk; disks && !found && (disk = readdir(disks));) {
    char file[300], text[64] = "";
    snprintf(file, sizeof file, "/sys/block/%s/serial", disk->d_name);
    int fd = disk->d_name[0] == 'v' ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) continue;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length < 0) continue;
    text[strcspn(text, "\n")] = 0;
    found = strcmp(text, serial) == 0;
    if (found) snprintf(path, size, "/dev/%s", disk->d_name);
  }
  if (disks) closedir(disks);
  return found;
}

void mount_scratch(void) {
  char path[300];
  // The disk never outlives the machine, so it need not be consistent at any time, and tables of inodes that nobody
  // uses need not be written. Without a scratch disk (a trial by hand) the guest's memory takes its place.
  bool disk = find_disk("scratch", path, sizeof path);
  if (!disk || mount(path, "/scratch", "ext4", MS_NOATIME, "nobarrier,noinit_itable") != 0) {
    log_line("no scratch disk%s: using memory", disk ? " that can be mounted" : "");
    mount("tmpfs", "/scratch", "tmpfs", 0, NULL);
  }
  mkdir("/scratch/containers", 0700);
  mkdir("/scratch/volumes", 0711);
  mkdir("/scratch/trash", 0700);
}

// Whether the disk holds a whole image. A disk of a template was empty: its new size comes by an interrupt that may
// be handled after the request that needs it.
static bool whole_image(int fd) {
  uint8_t block[128];
  uint64_t size = 0;
  ioctl(fd, BLKFLSBUF, 0);  // what was read from an empty disk
  if (ioctl(fd, BLKGETSIZE64, &size) != 0 || pread(fd, block, sizeof block, 1024) != sizeof block) return false;
  uint32_t magic, blocks;
  memcpy(&magic, block, sizeof magic);
  memcpy(&blocks, block + 36, sizeof blocks);
  return magic == EROFS_MAGIC && block[12] < 32 && (uint64_t)blocks << block[12] <= size;
}

const char *mount_image(const char *serial) {
  static char why[256];
  char disk[300], path[MAX_NAME + 16];
  struct statfs info;
  snprintf(path, sizeof path, "/images/%s", serial);
  if (statfs(path, &info) == 0 && (uint32_t)info.f_type == EROFS_MAGIC) return NULL;
  if (!find_disk(serial, disk, sizeof disk)) return "the machine has no such disk";
  int64_t end = monotonic_millis() + WAIT_MILLIS;
  bool whole = false;
  while (!whole && monotonic_millis() < end) {
    int fd = open(disk, O_RDONLY | O_CLOEXEC);
    whole = fd >= 0 && whole_image(fd);
    if (fd >= 0) close(fd);
    if (!whole) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  if (!whole) {
    snprintf(why, sizeof why, "no whole EROFS image on it within %d ms", WAIT_MILLIS);
    return why;
  }
  mkdir(path, 0755);
  if (mount(disk, path, "erofs", MS_RDONLY | MS_NODEV, NULL) == 0) return NULL;
  snprintf(why, sizeof why, "cannot mount it: %m");
  return why;
}

// The host may put another image into the disk's place then.
void unmount_image(const char *serial) {
  char path[MAX_NAME + 16];
  snprintf(path, sizeof path, "/images/%s", serial);
  if (umount2(path, MNT_DETACH) == 0) rmdir(path);
}
