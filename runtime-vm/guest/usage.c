// USAGE, counted in a child of the loop.
#include <dirent.h>
#include <fts.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "guest.h"

enum { WALK_MILLIS = 5000 };

static uint64_t file_value(const char *path, const char *key) {
  char text[8192];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  text[length < 0 ? 0 : length] = 0;
  const char *at = key ? strstr(text, key) : text;
  return at ? strtoull(at + (key ? strlen(key) : 0), NULL, 10) : 0;
}

// User, nice, system, interrupts and steal of the line "cpu"; the kernel counts in 1/100 s.
static uint64_t processor_nanos(void) {
  unsigned long long times[8] = {0};
  FILE *file = fopen("/proc/stat", "re");
  if (!file) return 0;
  int count = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &times[0], &times[1], &times[2], &times[3],
                     &times[4], &times[5], &times[6], &times[7]);
  fclose(file);
  uint64_t sum = 0;
  for (int i = 0; i < count; i++) sum += i == 3 || i == 4 ? 0 : times[i];
  return sum * 10000000;
}

static uint64_t count_processes(void) {
  uint64_t count = 0;
  DIR *all = opendir("/proc");
  for (struct dirent *entry; all && (entry = readdir(all));) count += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
  if (all) closedir(all);
  return count;
}

static void put_network(struct buffer *result) {
  static const char *const counters[] = {"rx_bytes", "rx_errors", "tx_bytes", "tx_errors"};
  uint64_t values[4] = {0};
  DIR *devices = opendir("/sys/class/net");
  for (struct dirent *entry; devices && (entry = readdir(devices));) {
    char path[400];
    snprintf(path, sizeof path, "/sys/class/net/%s/device", entry->d_name);
    if (entry->d_name[0] == '.' || access(path, F_OK) != 0) continue;
    for (int i = 0; i < 4; i++) {
      snprintf(path, sizeof path, "/sys/class/net/%s/statistics/%s", entry->d_name, counters[i]);
      values[i] += file_value(path, NULL);
    }
  }
  if (devices) closedir(devices);
  for (int i = 0; i < 4; i++) put64(result, values[i]);
}

// What files below a directory take; a walk that takes long ends with what it has.
static void put_tree(struct buffer *result, char *path, int64_t until) {
  uint64_t bytes = 0, files = 0;
  FTS *walk = fts_open((char *[]){path, NULL}, FTS_PHYSICAL, NULL);
  for (FTSENT *entry; walk && (entry = fts_read(walk));) {
    if (entry->fts_info == FTS_DP || !entry->fts_statp || entry->fts_level == 0) continue;
    bytes += (uint64_t)entry->fts_statp->st_blocks * 512;
    files++;
    if (monotonic_millis() > until) break;
  }
  if (walk) fts_close(walk);
  put64(result, bytes);
  put64(result, files);
}

static void put_container(struct buffer *result, struct container *container, int64_t until) {
  char path[MAX_NAME + 64];
  int group = container->cgroup;
  uint64_t memory = cgroup_value(group, "memory.current", NULL);
  uint64_t inactive = cgroup_value(group, "memory.stat", "inactive_file");
  put_string(result, container->id);
  put64(result, cgroup_value(group, "cpu.stat", "usage_usec") * 1000);
  put64(result, memory);
  put64(result, memory > inactive ? memory - inactive : 0);
  put64(result, cgroup_value(group, "memory.stat", "anon"));
  put64(result, cgroup_value(group, "memory.stat", "pgfault"));
  put64(result, cgroup_value(group, "memory.stat", "pgmajfault"));
  put64(result, cgroup_value(group, "pids.current", NULL));
  snprintf(path, sizeof path, "/scratch/containers/%s/upper", container->id);
  put_tree(result, path, until);
}

static uint32_t put_volumes(struct buffer *result, const char *place, int64_t until) {
  uint32_t count = 0;
  DIR *all = opendir(place);
  for (struct dirent *entry; all && (entry = readdir(all));) {
    if (entry->d_name[0] == '.') continue;
    char path[400];
    snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
    put_string(result, entry->d_name);
    put_tree(result, path, until);
    count++;
  }
  if (all) closedir(all);
  return count;
}

void usage(struct buffer *result, void *argument) {
  (void)argument;
  int64_t until = monotonic_millis() + WALK_MILLIS;
  struct statfs scratch = {0};
  struct buffer entries = {0};
  uint32_t count = 0;
  statfs("/scratch", &scratch);
  put8(result, OK);
  put64(result, processor_nanos());
  put64(result, file_value("/proc/meminfo", "MemTotal:") * 1024);
  put64(result, file_value("/proc/meminfo", "MemAvailable:") * 1024);
  put64(result, (uint64_t)scratch.f_blocks * (uint64_t)scratch.f_bsize);
  put64(result, (uint64_t)(scratch.f_blocks - scratch.f_bfree) * (uint64_t)scratch.f_bsize);
  put64(result, count_processes());
  put_network(result);
  for (struct container *container = containers; container; container = container->next) {
    if (container->state == CREATING || container->state == REMOVING) continue;
    put_container(&entries, container, until);
    count++;
  }
  put32(result, count);
  put_raw(result, entries.data, buffer_length(&entries));
  buffer_clear(&entries);
  count = put_volumes(&entries, "/scratch/volumes", until);
  count += put_volumes(&entries, "/memory", until);
  put32(result, count);
  put_raw(result, entries.data, buffer_length(&entries));
}
