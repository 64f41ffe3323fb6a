/* SPDX-FileCopyrightText: 2026 The Terrazzo authors
 * SPDX-License-Identifier: MIT
 *
 * LD_PRELOAD: gives a program a clock that advances by STEADY_CLOCK_US (10000) at each query. Therefore its
 * picture depends only on the number of frames that it drew. Only the program's own calls see this clock: its
 * libraries see the real time.
 */
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uintptr_t program_begin = UINTPTR_MAX, program_end;
static uint64_t step_us = 10000;
static uint64_t calls;

/* The first object is the program. */
static int note_program(struct dl_phdr_info* info, size_t size, void* data) {
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD) continue;
        const uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
        if (begin < program_begin) program_begin = begin;
        if (end > program_end) program_end = end;
    }
    return 1;
}

__attribute__((constructor)) static void start(void) {
    const char* step = getenv("STEADY_CLOCK_US");
    if (step) step_us = strtoull(step, NULL, 10);
    dl_iterate_phdr(note_program, NULL);
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec* out) {
    const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (caller < program_begin || caller >= program_end) return (int)syscall(SYS_clock_gettime, clock, out);
    const uint64_t us = 1000000000 + step_us * __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    out->tv_sec = (time_t)(us / 1000000);
    out->tv_nsec = (long)(us % 1000000 * 1000);
    return 0;
}
