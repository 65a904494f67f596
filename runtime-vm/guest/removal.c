// Removal of containers: processes first, then files, then the disks of images that nobody else uses.
#include "guest.h"

static void work_removal(struct buffer *result, void *argument) {
  const char *id = argument;
  int scratch = open("/scratch/containers", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int trash = open("/scratch/trash", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (remove_all(scratch, id, trash)) put8(result, OK);
  else job_failed(result, FAILED, "cannot remove the files of container %s: %m", id);
}

static void removal_done(struct job *job) {
  struct container **at = &containers;
  while (*at && strcmp((*at)->id, job->name) != 0) at = &(*at)->next;
  struct container *container = *at;
  if (!container) return;
  *at = container->next;
  cgroup_remove(container->id);
  for (unsigned i = 0; i < MAX_DISKS && container->disks[i][0]; i++) {
    bool used = false;
    for (struct container *other = containers; other; other = other->next) {
      for (unsigned k = 0; k < MAX_DISKS; k++) used |= strcmp(other->disks[k], container->disks[i]) == 0;
    }
    if (!used) unmount_image(container->disks[i]);
  }
  if (container->failed) {
    answer_failure(container->create, container->failure.status, "%s", container->failure.text);
  }
  for (unsigned i = 0; i < 4; i++) {
    if (buffer_length(&job->result) > 0) answer(container->removes[i], &job->result);
    else answer_failure(container->removes[i], FAILED, "the guest ended the removal");
  }
  buffer_clear(&container->body);
  if (container->pidfd >= 0) close(container->pidfd);
  if (container->cgroup >= 0) close(container->cgroup);
  free(container);
}

void container_remove(struct request request, struct container *container) {
  unsigned at = 0;
  while (at < 4 && container->removes[at].id && container->removes[at].epoch == epoch) at++;
  if (at == 4) {
    answer_failure(request, FAILED, "container %s is being removed", container->id);
    return;
  }
  if (request.id) container->removes[at] = request;
  if (container->state == REMOVING) return;
  if (container->state == CREATING && !container->failed) {
    container->failed = true;
    container->failure.status = FAILED;
    strcpy(container->failure.text, "the container was removed");
  }
  if (container->start.id && container->state == STARTING) {
    answer_failure(container->start, FAILED, "the container was removed");
    container->start.id = 0;
  }
  container->state = REMOVING;
  container->deadline = monotonic_millis() + DRAIN_MILLIS;
  cgroup_kill(container->cgroup);
  channels_close(container);
  output_close(container);
  watch_close(&container->socket);
  watch_close(&container->input);
  progress = true;
}

// The files go once no process uses them.
bool container_removal_step(struct container *container) {
  if (container->deadline == 0) return false;
  if (container->pid > 0 || (!cgroup_empty(container->cgroup) && monotonic_millis() < container->deadline)) {
    cgroup_kill(container->cgroup);
    draining = true;
    return false;
  }
  container->deadline = 0;
  struct job *job = job_start((struct request){0, 0}, work_removal, container->id);
  if (job) {
    job->done = removal_done;
    strcpy(job->name, container->id);
  } else {
    container->deadline = monotonic_millis() + DRAIN_MILLIS;
    draining = true;
  }
  return true;
}
