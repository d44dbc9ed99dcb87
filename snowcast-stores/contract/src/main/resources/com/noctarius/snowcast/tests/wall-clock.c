/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A wall clock that a test sets, for LD_PRELOAD. It shifts the reads of CLOCK_REALTIME, and the end of each
 * pthread_cond_timedwait that ends at a time of that clock. The monotonic clock is unchanged. The file that
 * SNOWCAST_WALL_CLOCK names has two 64-bit integers. The first is the number of seconds to add to each read. The second
 * is n if every n-th read is to be about 2^32 milliseconds ahead, and 0 if no read is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#define MISREAD_SECONDS 4294967
/* Times since 1970 are above this value, times since the start of the machine are below. */
#define SINCE_1970 1000000000

static volatile int64_t *settings;
static uint64_t reads;
static int (*read_clock)(clockid_t, struct timespec *);
static int (*wait_until)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

__attribute__((constructor)) static void begin(void) {
    read_clock = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    wait_until = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
            dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    const char *path = getenv("SNOWCAST_WALL_CLOCK");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file < 0) {
        return;
    }
    void *mapped = mmap(NULL, 2 * sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    settings = mapped == MAP_FAILED ? NULL : mapped;
}

int clock_gettime(clockid_t id, struct timespec *time) {
    if (!read_clock) {
        begin();
    }
    int result = read_clock(id, time);
    if (result != 0 || id != CLOCK_REALTIME || !settings) {
        return result;
    }
    int64_t each = settings[1];
    time->tv_sec += settings[0];
    if (each > 0 && __atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED) % each == 0) {
        time->tv_sec += MISREAD_SECONDS;
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void) zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return result;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    if (!wait_until) {
        begin();
    }
    struct timespec real = *until;
    if (settings && real.tv_sec > SINCE_1970) {
        real.tv_sec -= settings[0];
    }
    return wait_until(condition, mutex, &real);
}
