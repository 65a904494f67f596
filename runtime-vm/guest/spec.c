// Reads and checks what CREATE asks for.
#include "guest.h"

static bool check(const char **wrong, bool fine, const char *why) {
  if (!fine && !*wrong) *wrong = why;
  return fine;
}

bool get_limits(struct reader *reader, struct limits_spec *limits) {
  limits->cpu_quota = (int64_t)get64(reader);
  limits->cpu_period = (int64_t)get64(reader);
  limits->cpu_weight = get64(reader);
  limits->memory = (int64_t)get64(reader);
  limits->pids = (int64_t)get64(reader);
  limits->oom_score = (int32_t)get32(reader);
  limits->unified = get_map(reader, &limits->unified_count);
  for (uint32_t i = 0; i < limits->unified_count; i++) {
    if (!valid_name(limits->unified[i].key) || strncmp(limits->unified[i].key, "cgroup.", 7) == 0) return false;
  }
  return !reader->failed;
}

static void get_mount(struct reader *reader, struct mount_spec *mount, const char **wrong) {
  mount->destination = get_string(reader);
  mount->sub_path = get_string(reader);
  mount->read_only = get8(reader);
  mount->source = get8(reader);
  mount->name = get_string(reader);
  mount->bytes = mount->source == SOURCE_MEMORY ? get64(reader) : 0;
  if (mount->source == SOURCE_SCRATCH || mount->source == SOURCE_MEMORY) {
    mount->uid = get32(reader);
    mount->gid = get32(reader);
    mount->mode = get32(reader) & 07777;
  }
  check(wrong, mount->source >= SOURCE_TREE && mount->source <= SOURCE_FILE, "a mount has an unknown source");
  check(wrong, valid_name(mount->name), "a mount has a bad name of its source");
  check(wrong, mount->destination[0] == '/', "a mount has a destination that is not absolute");
}

static void get_mounts(struct reader *reader, struct spec *spec, const char **wrong) {
  spec->mount_count = get_count(reader, 14);
  spec->mounts = reader_allocate(reader, spec->mount_count * sizeof *spec->mounts);
  for (uint32_t i = 0; i < spec->mount_count && !*wrong; i++) get_mount(reader, &spec->mounts[i], wrong);
}

static void get_user(struct reader *reader, struct spec *spec) {
  spec->user = get_string(reader);
  spec->has_group = get8(reader);
  spec->group = spec->has_group ? get32(reader) : 0;
  spec->group_count = get_count(reader, 4);
  spec->groups = reader_allocate(reader, spec->group_count * sizeof *spec->groups);
  for (uint32_t i = 0; i < spec->group_count; i++) spec->groups[i] = get32(reader);
  spec->strict_groups = get8(reader);
}

const char *get_spec(struct reader *reader, struct spec *spec) {
  const char *wrong = NULL;
  *spec = (struct spec){0};
  spec->id = get_string(reader);
  spec->disk = get_string(reader);
  spec->args = get_strings(reader);
  spec->environment = get_strings(reader);
  spec->directory = get_string(reader);
  get_user(reader, spec);
  spec->bounding = get64(reader);
  spec->ambient = get64(reader);
  spec->privileged = get8(reader);
  spec->no_new_privileges = get8(reader);
  spec->read_only_root = get8(reader);
  spec->masked = get_strings(reader);
  spec->read_only = get_strings(reader);
  get_mounts(reader, spec, &wrong);
  if (wrong) return wrong;
  check(&wrong, get_limits(reader, &spec->limits), "bad limits");
  spec->pids = get8(reader);
  spec->target = get_string(reader);
  spec->tty = get8(reader);
  spec->input = get8(reader);
  spec->input_once = get8(reader);
  check(&wrong, !reader->failed, "the request is too short, or a string has a zero byte");
  check(&wrong, valid_name(spec->id), "bad container id");
  check(&wrong, valid_name(spec->disk), "bad name of the image's disk");
  check(&wrong, spec->args[0], "no command");
  check(&wrong, spec->group_count <= MAX_GROUPS / 2, "too many supplemental groups");
  check(&wrong, spec->pids <= PIDS_TARGET, "unknown process namespace");
  return wrong;
}
