// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A key of POSIX threads serves all threads except the one that loads the library. That is usually the
// process's first one, which ends with exit(), and exit() does not process keys. It has an object with a
// destructor, created while the library is loaded.
#include "api/gl/thread_end.h"

#include <pthread.h>

#include <new>

namespace terrazzo::gl_entry {
namespace {

constexpr unsigned kMostEnds = 2;  // those of egl/ and embed/
using End = void (*)();

/// A thread's first access must not allocate: initial-exec, and nothing to construct or destroy.
#define TZ_PLAIN_TLS thread_local constinit __attribute__((tls_model("initial-exec")))
TZ_PLAIN_TLS End t_ends[kMostEnds] = {};
TZ_PLAIN_TLS bool t_armed = false;
#undef TZ_PLAIN_TLS

void run_ends() {
    for (unsigned i = kMostEnds; i-- > 0;)
        if (const End end = t_ends[i]) {
            t_ends[i] = nullptr;
            end();
        }
}

struct LoaderEnd {
    LoaderEnd() { t_armed = true; }
    ~LoaderEnd() { run_ends(); }
};
thread_local LoaderEnd t_loader;

struct Key {
    pthread_key_t key = 0;
    bool made = pthread_key_create(&key, [](void*) {
                    t_armed = false;
                    run_ends();
                }) == 0;
};

/// Created while the library is loaded, on the thread that loads it.
const Key g_key = [] {
    (void)&t_loader;
    return Key();
}();

}  // namespace

void call_at_thread_end(void (*end)()) {
    unsigned at = 0;
    while (t_ends[at]) {
        if (t_ends[at] == end) return;
        ++at;
    }
    if (!t_armed) {
        if (!g_key.made || pthread_setspecific(g_key.key, &t_armed) != 0) throw std::bad_alloc();
        t_armed = true;
    }
    t_ends[at] = end;
}

}  // namespace terrazzo::gl_entry
