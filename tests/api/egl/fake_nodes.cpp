// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// More render nodes in addition to the shim's, /dev/dri/renderD128. None of them has a usable GPU. The
// program defines open(), stat() and ioctl(), which override those of the shim and the C library, also for
// the libraries. A node is a memfd.
#include "tests/api/egl/fake_nodes.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "winsys/uapi/drm.h"

namespace {

using namespace terrazzo::uapi;

struct FakeNode {
    const char* path;
    const char* driver;  // null: opening fails
    unsigned minor;
};
constexpr FakeNode kNodes[] = {
    {"/dev/dri/renderD129", "i915", 129},                  // a driver that we do not support
    {"/dev/dri/renderD130", "msm", 130},                   // a GPU that its driver does not support
    {"/dev/dri/renderD131", "vgem", 131},                  // no GPU
    {"/dev/dri/renderD132", nullptr, 132},                 // no permission
    {"/dev/dri/renderD133", "the shim's once more", 128},  // another name of /dev/dri/renderD128
    {"/dev/dri/renderD134", "panthor", 134},               // the kernel is too old
    {"/dev/dri/renderD135", "vgem", 135},
};
constexpr unsigned kShimMinor = 128;

std::mutex g_mutex;
std::map<ino_t, const FakeNode*> g_open;  // by the memfd's inode; entries are not removed while the test runs

const FakeNode* find(const char* path) {
    for (const FakeNode& n : kNodes)
        if (!std::strcmp(n.path, path)) return &n;
    return nullptr;
}

template <class F>
F next(const char* name) {
    return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

int open_fake(const FakeNode& node) {
    if (!node.driver) {
        errno = EACCES;
        return -1;
    }
    const int fd = memfd_create("fake node", MFD_CLOEXEC);
    struct stat st {};
    if (fd < 0 || fstat(fd, &st) != 0) return -1;
    const std::lock_guard lock(g_mutex);
    g_open[st.st_ino] = &node;
    return fd;
}

const FakeNode* node_of(int fd) {
    struct stat st {};
    if (next<int (*)(int, struct stat*)>("fstat")(fd, &st) != 0) return nullptr;
    const std::lock_guard lock(g_mutex);
    const auto it = g_open.find(st.st_ino);
    return it == g_open.end() ? nullptr : it->second;
}

}  // namespace

bool has_real_nodes() {
    struct stat st {};
    const auto real = next<int (*)(const char*, struct stat*)>("stat");
    for (const FakeNode& n : kNodes)
        if (real(n.path, &st) == 0) return true;
    return false;
}

extern "C" {

__attribute__((visibility("default"))) int open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, unsigned) : 0;
    va_end(list);
    const FakeNode* const node = find(path);
    if (node && node->minor != kShimMinor) return open_fake(*node);
    return next<int (*)(const char*, int, ...)>("open64")(node ? "/dev/dri/renderD128" : path, flags, mode);
}

__attribute__((visibility("default"))) int stat(const char* path, struct stat* st) noexcept {
    const FakeNode* const node = find(path);
    if (!node) return next<int (*)(const char*, struct stat*)>("stat64")(path, st);
    *st = {};
    st->st_mode = S_IFCHR | 0660;
    st->st_rdev = makedev(226, node->minor);
    return 0;
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list list;
    va_start(list, request);
    void* const arg = va_arg(list, void*);
    va_end(list);
    const FakeNode* const node = _IOC_TYPE(request) == 'd' ? node_of(fd) : nullptr;
    if (!node) return next<int (*)(int, unsigned long, ...)>("ioctl")(fd, request, arg);
    if (request != kIoctlVersion) {
        errno = EINVAL;
        return -1;
    }
    auto* const v = static_cast<drm_version*>(arg);
    if (v->name) std::strncpy(v->name, node->driver, v->name_len);
    v->name_len = std::strlen(node->driver);
    v->version_major = 1;
    return 0;
}
}
