// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Replaces the C library's functions on open files: open, ioctl, mmap, close, duplicates. Calls on files of
// other kinds go on to the C library.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "winsys/drm/sync_file.h"
#include "winsys/environment/file_size.h"
#include "winsys/shim/open_files.h"
#include "winsys/shim/real.h"
#include "winsys/shim/tree.h"
#include "winsys/uapi/drm.h"

namespace {

using namespace terrazzo::winsys::shim;
namespace virt = terrazzo::winsys::virt;

/// Opens a file of the tree: a memfd with its content, ready to be read.
int open_content(const Entry& entry, int flags) {
    if ((flags & O_ACCMODE) != O_RDONLY) return -EACCES;
    const int fd = memfd_create("terrazzo-sysfs", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (fd < 0) return -errno;
    const terrazzo::winsys::FileSizeSignalBlock no_signal;
    const auto length = static_cast<ssize_t>(strlen(entry.content));
    if (write(fd, entry.content, static_cast<size_t>(length)) != length) {
        close(fd);
        return -ENOMEM;
    }
    (void)lseek(fd, 0, SEEK_SET);
    return fd;
}

/// Opens `path` if it is ours. Then `*result` is a descriptor or -1.
bool open_ours(const char* path, int flags, int* result) {
    if (!may_be_ours(path)) return false;
    const Entry* entry = resolve(path, !(flags & O_NOFOLLOW));
    if (!entry) return false;
    int error = 0;
    switch (entry->kind) {
        case Kind::None:
            error = flags & O_CREAT ? -EACCES : -ENOENT;
            break;
        case Kind::Directory:
            // Programs that look for devices do not open directories; opendir() works.
            error = (flags & O_ACCMODE) == O_RDONLY ? -EACCES : -EISDIR;
            break;
        case Kind::Link:
            error = -ELOOP;
            break;
        case Kind::File:
            error = flags & O_DIRECTORY ? -ENOTDIR : open_content(*entry, flags);
            break;
        case Kind::Device:
            error = flags & O_DIRECTORY ? -ENOTDIR : OpenFiles::instance().open(*entry, flags);
            break;
    }
    *result = result_of(error);
    return true;
}

unsigned mode_of(int flags, va_list list) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, unsigned) : 0;
}

using OpenFunction = int (*)(const char*, int, ...);
using OpenatFunction = int (*)(int, const char*, int, ...);

int copied(int from, int to) {
    OpenFiles::instance().note_copy(from, to);
    return to;
}

/// The requests of a sync file or a dma-buf.
bool is_descriptor_request(unsigned long request) {
    return _IOC_TYPE(request) == '>' || _IOC_TYPE(request) == 'b';
}

void* mapped(void* address, size_t size_B, int prot, int flags, int fd, off_t offset,
             void* (*real)(void*, size_t, int, int, int, off_t)) {
    // Our offsets are all beyond 4 GiB, so other mappings need no look-up.
    if (!(flags & MAP_ANONYMOUS) && static_cast<uint64_t>(offset) >> 32) {
        if (const auto file = OpenFiles::instance().find(fd)) {
            void* result;
            const int error =
                file->mmap(address, size_B, prot, flags, static_cast<uint64_t>(offset), &result);
            if (error == 0) return result;
            errno = -error;
            return MAP_FAILED;
        }
    }
    return real(address, size_B, prot, flags, fd, offset);
}

FILE* fopen_ours(const char* path, const char* mode, bool* ours) {
    int fd;
    *ours =
        open_ours(path, mode[0] == 'r' && !strchr(mode, '+') ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CREAT, &fd);
    return *ours && fd >= 0 ? fdopen(fd, mode) : nullptr;
}

}  // namespace

#define SHIM_OPEN(name)                                          \
    SHIM_EXPORT(int, name, (const char* path, int flags, ...)) { \
        int result;                                              \
        if (open_ours(path, flags, &result)) return result;      \
        va_list list;                                            \
        va_start(list, flags);                                   \
        const unsigned mode = mode_of(flags, list);              \
        va_end(list);                                            \
        return SHIM_REAL(OpenFunction, name)(path, flags, mode); \
    }
#define SHIM_OPENAT(name)                                                \
    SHIM_EXPORT(int, name, (int at, const char* path, int flags, ...)) { \
        int result;                                                      \
        if (open_ours(path, flags, &result)) return result;              \
        va_list list;                                                    \
        va_start(list, flags);                                           \
        const unsigned mode = mode_of(flags, list);                      \
        va_end(list);                                                    \
        return SHIM_REAL(OpenatFunction, name)(at, path, flags, mode);   \
    }
#define SHIM_FOPEN(name)                                                                        \
    SHIM_EXPORT(FILE*, name, (const char* path, const char* mode)) {                            \
        bool ours;                                                                              \
        FILE* file = fopen_ours(path, mode, &ours);                                             \
        return ours ? file : SHIM_REAL(FILE * (*)(const char*, const char*), name)(path, mode); \
    }
#define SHIM_MMAP(name)                                                                                   \
    SHIM_EXPORT(void*, name, (void* address, size_t size_B, int prot, int flags, int fd, off_t offset)) { \
        return mapped(address, size_B, prot, flags, fd, offset,                                           \
                      SHIM_REAL(void* (*)(void*, size_t, int, int, int, off_t), name));                   \
    }
#define SHIM_FCNTL(name)                                                                       \
    SHIM_EXPORT(int, name, (int fd, int command, ...)) {                                       \
        va_list list;                                                                          \
        va_start(list, command);                                                               \
        void* argument = va_arg(list, void*);                                                  \
        va_end(list);                                                                          \
        const int result = SHIM_REAL(int (*)(int, int, ...), name)(fd, command, argument);     \
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(fd, result) : result; \
    }

SHIM_OPEN(open)
SHIM_OPEN(open64)
SHIM_OPENAT(openat)
SHIM_OPENAT(openat64)
SHIM_FOPEN(fopen)
SHIM_FOPEN(fopen64)
SHIM_MMAP(mmap)
SHIM_MMAP(mmap64)
SHIM_FCNTL(fcntl)
SHIM_FCNTL(fcntl64)

// Fortified programs call these if they pass no mode.
SHIM_EXPORT(int, __open_2, (const char* path, int flags)) {
    int result;
    return open_ours(path, flags, &result) ? result
                                           : SHIM_REAL(int (*)(const char*, int), __open_2)(path, flags);
}
SHIM_EXPORT(int, __open64_2, (const char* path, int flags)) {
    int result;
    return open_ours(path, flags, &result) ? result
                                           : SHIM_REAL(int (*)(const char*, int), __open64_2)(path, flags);
}
SHIM_EXPORT(int, __openat_2, (int at, const char* path, int flags)) {
    int result;
    return open_ours(path, flags, &result)
               ? result
               : SHIM_REAL(int (*)(int, const char*, int), __openat_2)(at, path, flags);
}
SHIM_EXPORT(int, __openat64_2, (int at, const char* path, int flags)) {
    int result;
    return open_ours(path, flags, &result)
               ? result
               : SHIM_REAL(int (*)(int, const char*, int), __openat64_2)(at, path, flags);
}

SHIM_EXPORT(int, ioctl, (int fd, unsigned long request, ...)) {
    va_list list;
    va_start(list, request);
    void* argument = va_arg(list, void*);
    va_end(list);
    request &= 0xffffffff;  // callers that pass an int sign-extend it
    if (_IOC_TYPE(request) == 'd') {
        if (const auto file = OpenFiles::instance().find(fd))
            return result_of(file->ioctl(request, argument));
    } else if (is_descriptor_request(request)) {
        if (const auto device = OpenFiles::instance().device()) {
            bool ours = false;
            const int error = device->descriptor_ioctl(fd, request, argument, &ours);
            if (ours) return result_of(error);
        }
        // Compositors ask this way whether a client's descriptor is a sync file.
        if (request == terrazzo::uapi::kIoctlSyncFileInfo && terrazzo::winsys::is_virtual_sync_file(fd))
            return result_of(virt::foreign_sync_file_info(fd, argument));
    }
    return SHIM_REAL(int (*)(int, unsigned long, ...), ioctl)(fd, request, argument);
}

SHIM_EXPORT(int, close, (int fd)) {
    const bool look = OpenFiles::instance().noted(fd);
    const int result = SHIM_REAL(int (*)(int), close)(fd);
    const int error = errno;
    if (look) OpenFiles::instance().collect();
    errno = error;
    return result;
}
SHIM_EXPORT(int, close_range, (unsigned first, unsigned last, int flags)) {
    const auto real = SHIM_REAL(int (*)(unsigned, unsigned, int), close_range);
    if (!real) return result_of(-ENOSYS);
    const int result = real(first, last, flags);
    const int error = errno;
    OpenFiles::instance().collect();
    errno = error;
    return result;
}
SHIM_EXPORT(int, dup, (int fd)) {
    return copied(fd, SHIM_REAL(int (*)(int), dup)(fd));
}
SHIM_EXPORT(int, dup2, (int from, int to)) {
    return copied(from, SHIM_REAL(int (*)(int, int), dup2)(from, to));
}
SHIM_EXPORT(int, dup3, (int from, int to, int flags)) {
    return copied(from, SHIM_REAL(int (*)(int, int, int), dup3)(from, to, flags));
}
