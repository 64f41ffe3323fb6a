// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Replaces the C library's functions on paths: stat and its variants, access, links, directories.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <string_view>

#include "winsys/shim/open_files.h"
#include "winsys/shim/real.h"
#include "winsys/shim/tree.h"

namespace {

using namespace terrazzo::winsys::shim;

/// The entry of a path, or the path to ask the system for.
struct Found {
    const Entry* entry = nullptr;  // null: not ours
    std::string canonical;         // set if the path leads through our tree and out again ("/dev/dri/..")
    [[nodiscard]] const char* path(const char* asked) const {
        return canonical.empty() ? asked : canonical.c_str();
    }
};

/// Paths relative to a directory's descriptor are never ours: our directories have no descriptors.
Found find_path(const char* path, bool follow) {
    Found found;
    if (!may_be_ours(path)) return found;
    bool through = false;
    found.entry = resolve(path, follow, &found.canonical, &through);
    if (!found.entry && !through) found.canonical.clear();
    return found;
}

int fill(const Entry& entry, struct stat* st) {
    if (entry.kind == Kind::None) return result_of(-ENOENT);
    *st = {};
    st->st_dev = makedev(0, 5);
    st->st_ino = 1000 + static_cast<ino_t>(std::hash<std::string_view>{}(entry.path) & 0xffffff);
    st->st_nlink = 1;
    st->st_blksize = 4096;
    switch (entry.kind) {
        case Kind::Directory:
            st->st_mode = S_IFDIR | 0755;
            break;
        case Kind::File:
            st->st_mode = S_IFREG | 0444;
            st->st_size = 4096;
            break;
        case Kind::Link:
            st->st_mode = S_IFLNK | 0777;
            st->st_size = static_cast<off_t>(strlen(entry.content));
            break;
        case Kind::Device:
            st->st_mode = S_IFCHR | 0666;
            st->st_rdev = makedev(kDrmMajor, entry.minor);
            break;
        case Kind::None:
            break;
    }
    return 0;
}

void to_statx(const struct stat& st, struct statx* out) {
    *out = {};
    out->stx_mask = STATX_BASIC_STATS;
    out->stx_blksize = 4096;
    out->stx_nlink = 1;
    out->stx_mode = static_cast<uint16_t>(st.st_mode);
    out->stx_ino = st.st_ino;
    out->stx_size = static_cast<uint64_t>(st.st_size);
    out->stx_rdev_major = major(st.st_rdev);
    out->stx_rdev_minor = minor(st.st_rdev);
    out->stx_dev_major = major(st.st_dev);
    out->stx_dev_minor = minor(st.st_dev);
}

int access_ours(const Entry& entry, int mode) {
    if (entry.kind == Kind::None) return result_of(-ENOENT);
    const bool writable = entry.kind == Kind::Device, runnable = entry.kind == Kind::Directory;
    return result_of(((mode & W_OK) && !writable) || ((mode & X_OK) && !runnable) ? -EACCES : 0);
}

ssize_t readlink_ours(const Entry& entry, char* buffer, size_t size_B) {
    if (entry.kind == Kind::None) return result_of(-ENOENT);
    if (entry.kind != Kind::Link) return result_of(-EINVAL);
    const size_t length = std::min(strlen(entry.content), size_B);
    memcpy(buffer, entry.content, length);
    return static_cast<ssize_t>(length);
}

/// True if the path is ours; `*result` is what realpath returns then.
bool realpath_ours(const char* path, char* out, char** result) {
    const Found found = find_path(path, true);
    if (!found.entry) return false;
    *result = nullptr;
    if (found.entry->kind == Kind::None)
        errno = ENOENT;
    else if (!out)
        *result = strdup(found.canonical.c_str());
    else
        *result = strcpy(out, found.canonical.c_str());
    return true;
}

/// One of our directories that is being read.
struct OurDir {
    const Entry* entry;
    std::vector<const Entry*> names;
    size_t at = 0;  // "." and ".." are first
    dirent current;
};
// Programs read directories often: while none of ours is open, that costs one load.
std::atomic<int> g_open_dirs{0};
constexpr uintptr_t kDirMark = 1;  // a DIR* of the C library is aligned

OurDir* ours(DIR* dir) {
    const auto bits = reinterpret_cast<uintptr_t>(dir);
    return g_open_dirs.load(std::memory_order_relaxed) && (bits & kDirMark)
               ? reinterpret_cast<OurDir*>(bits - kDirMark)
               : nullptr;
}

DIR* open_dir(const Entry& entry) {
    if (entry.kind != Kind::Directory) {
        errno = entry.kind == Kind::None ? ENOENT : ENOTDIR;
        return nullptr;
    }
    auto* dir = new (std::nothrow) OurDir{&entry, {}, 0, {}};
    if (!dir) {
        errno = ENOMEM;
        return nullptr;
    }
    dir->names = list(entry);
    g_open_dirs++;
    return reinterpret_cast<DIR*>(reinterpret_cast<uintptr_t>(dir) + kDirMark);
}

unsigned char type_of(const Entry& entry) {
    switch (entry.kind) {
        case Kind::Directory:
            return DT_DIR;
        case Kind::File:
            return DT_REG;
        case Kind::Link:
            return DT_LNK;
        case Kind::Device:
            return DT_CHR;
        case Kind::None:
            break;
    }
    return DT_UNKNOWN;
}

dirent* next(OurDir* dir) {
    const size_t at = dir->at;
    if (at >= dir->names.size() + 2) return nullptr;
    dir->at++;
    dirent& d = dir->current;
    d = {};
    d.d_ino = 1000 + at;
    d.d_off = static_cast<off_t>(at + 1);
    d.d_reclen = sizeof d;
    d.d_type = at < 2 ? static_cast<unsigned char>(DT_DIR) : type_of(*dir->names[at - 2]);
    strncpy(d.d_name, at == 0 ? "." : at == 1 ? ".." : name_of(*dir->names[at - 2]), sizeof d.d_name - 1);
    return &d;
}

using Filter = int (*)(const dirent*);
using Compare = int (*)(const dirent**, const dirent**);

int scan(const Entry& entry, dirent*** list, Filter filter, Compare compare) {
    DIR* handle = open_dir(entry);
    if (!handle) return -1;
    OurDir* dir = ours(handle);
    auto** found = static_cast<dirent**>(calloc(dir->names.size() + 2, sizeof(dirent*)));
    int count = 0;
    while (const dirent* d = found ? next(dir) : nullptr) {
        if (filter && !filter(d)) continue;
        if (auto* copy = static_cast<dirent*>(malloc(sizeof(dirent))))
            found[count++] = static_cast<dirent*>(memcpy(copy, d, sizeof *d));
    }
    if (compare && count)
        qsort(found, static_cast<size_t>(count), sizeof *found,
              reinterpret_cast<int (*)(const void*, const void*)>(compare));
    delete dir;
    g_open_dirs--;
    *list = found;
    return found ? count : result_of(-ENOMEM);
}

}  // namespace

// stat by path, and the variants with a version number that programs built for glibc before 2.33 call.
#define SHIM_STAT(name, follow)                                                                         \
    SHIM_EXPORT(int, name, (const char* path, struct stat* st)) {                                       \
        const Found found = find_path(path, follow);                                                    \
        return found.entry ? fill(*found.entry, st)                                                     \
                           : SHIM_REAL(int (*)(const char*, struct stat*), name)(found.path(path), st); \
    }
#define SHIM_XSTAT(name, follow)                                                                             \
    SHIM_EXPORT(int, name, (int version, const char* path, struct stat* st)) {                               \
        const Found found = find_path(path, follow);                                                         \
        return found.entry ? fill(*found.entry, st)                                                          \
                           : SHIM_REAL(int (*)(int, const char*, struct stat*), name)(version,               \
                                                                                      found.path(path), st); \
    }
#define SHIM_FSTAT(name)                                                        \
    SHIM_EXPORT(int, name, (int fd, struct stat* st)) {                         \
        const int result = SHIM_REAL(int (*)(int, struct stat*), name)(fd, st); \
        if (result == 0) OpenFiles::instance().disguise(st);                    \
        return result;                                                          \
    }
#define SHIM_FXSTAT(name)                                                                     \
    SHIM_EXPORT(int, name, (int version, int fd, struct stat* st)) {                          \
        const int result = SHIM_REAL(int (*)(int, int, struct stat*), name)(version, fd, st); \
        if (result == 0) OpenFiles::instance().disguise(st);                                  \
        return result;                                                                        \
    }
#define SHIM_FSTATAT(name)                                                                                  \
    SHIM_EXPORT(int, name, (int at, const char* path, struct stat* st, int flags)) {                        \
        const Found found = find_path(path, !(flags & AT_SYMLINK_NOFOLLOW));                                \
        if (found.entry) return fill(*found.entry, st);                                                     \
        const int result =                                                                                  \
            SHIM_REAL(int (*)(int, const char*, struct stat*, int), name)(at, found.path(path), st, flags); \
        if (result == 0 && (flags & AT_EMPTY_PATH)) OpenFiles::instance().disguise(st);                     \
        return result;                                                                                      \
    }

SHIM_STAT(stat, true)
SHIM_STAT(stat64, true)
SHIM_STAT(lstat, false)
SHIM_STAT(lstat64, false)
SHIM_XSTAT(__xstat, true)
SHIM_XSTAT(__xstat64, true)
SHIM_XSTAT(__lxstat, false)
SHIM_XSTAT(__lxstat64, false)
SHIM_FSTAT(fstat)
SHIM_FSTAT(fstat64)
SHIM_FXSTAT(__fxstat)
SHIM_FXSTAT(__fxstat64)
SHIM_FSTATAT(fstatat)
SHIM_FSTATAT(fstatat64)

SHIM_EXPORT(int, statx, (int at, const char* path, int flags, unsigned mask, struct statx* out)) {
    struct stat st;
    const Found found = find_path(path, !(flags & AT_SYMLINK_NOFOLLOW));
    if (found.entry) {
        if (fill(*found.entry, &st) != 0) return -1;
        to_statx(st, out);
        return 0;
    }
    if ((flags & AT_EMPTY_PATH) && path && !path[0] && real_fstat(at, &st) == 0 &&
        OpenFiles::instance().disguise(&st)) {
        to_statx(st, out);
        return 0;
    }
    return SHIM_REAL(int (*)(int, const char*, int, unsigned, struct statx*), statx)(at, found.path(path),
                                                                                     flags, mask, out);
}

SHIM_EXPORT(int, access, (const char* path, int mode)) {
    const Found found = find_path(path, true);
    return found.entry ? access_ours(*found.entry, mode)
                       : SHIM_REAL(int (*)(const char*, int), access)(found.path(path), mode);
}
SHIM_EXPORT(int, faccessat, (int at, const char* path, int mode, int flags)) {
    const Found found = find_path(path, !(flags & AT_SYMLINK_NOFOLLOW));
    return found.entry
               ? access_ours(*found.entry, mode)
               : SHIM_REAL(int (*)(int, const char*, int, int), faccessat)(at, found.path(path), mode, flags);
}

SHIM_EXPORT(ssize_t, readlink, (const char* path, char* buffer, size_t size_B)) {
    const Found found = find_path(path, false);
    return found.entry ? readlink_ours(*found.entry, buffer, size_B)
                       : SHIM_REAL(ssize_t(*)(const char*, char*, size_t), readlink)(found.path(path), buffer,
                                                                                     size_B);
}
SHIM_EXPORT(ssize_t, readlinkat, (int at, const char* path, char* buffer, size_t size_B)) {
    const Found found = find_path(path, false);
    return found.entry ? readlink_ours(*found.entry, buffer, size_B)
                       : SHIM_REAL(ssize_t(*)(int, const char*, char*, size_t), readlinkat)(
                             at, found.path(path), buffer, size_B);
}
SHIM_EXPORT(ssize_t, __readlink_chk, (const char* path, char* buffer, size_t size_B, size_t room_B)) {
    const Found found = find_path(path, false);
    return found.entry ? readlink_ours(*found.entry, buffer, std::min(size_B, room_B))
                       : SHIM_REAL(ssize_t(*)(const char*, char*, size_t, size_t), __readlink_chk)(
                             path, buffer, size_B, room_B);
}

// Extended attributes: there are none, but ls and find ask for them.
SHIM_EXPORT(ssize_t, getxattr, (const char* path, const char* name, void* value, size_t size_B)) {
    if (find_path(path, true).entry) return result_of(-ENOTSUP);
    return SHIM_REAL(ssize_t(*)(const char*, const char*, void*, size_t), getxattr)(path, name, value,
                                                                                    size_B);
}
SHIM_EXPORT(ssize_t, lgetxattr, (const char* path, const char* name, void* value, size_t size_B)) {
    if (find_path(path, false).entry) return result_of(-ENOTSUP);
    return SHIM_REAL(ssize_t(*)(const char*, const char*, void*, size_t), lgetxattr)(path, name, value,
                                                                                     size_B);
}

SHIM_EXPORT(char*, realpath, (const char* path, char* out)) {
    char* result;
    return realpath_ours(path, out, &result) ? result
                                             : SHIM_REAL(char* (*)(const char*, char*), realpath)(path, out);
}
SHIM_EXPORT(char*, __realpath_chk, (const char* path, char* out, size_t room_B)) {
    char* result;
    return realpath_ours(path, out, &result)
               ? result
               : SHIM_REAL(char* (*)(const char*, char*, size_t), __realpath_chk)(path, out, room_B);
}
SHIM_EXPORT(char*, canonicalize_file_name, (const char* path)) {
    char* result;
    return realpath_ours(path, nullptr, &result)
               ? result
               : SHIM_REAL(char* (*)(const char*), canonicalize_file_name)(path);
}

SHIM_EXPORT(DIR*, opendir, (const char* path)) {
    const Found found = find_path(path, true);
    return found.entry ? open_dir(*found.entry)
                       : SHIM_REAL(DIR * (*)(const char*), opendir)(found.path(path));
}
SHIM_EXPORT(dirent*, readdir, (DIR * dir)) {
    OurDir* own = ours(dir);
    return own ? next(own) : SHIM_REAL(dirent * (*)(DIR*), readdir)(dir);
}
SHIM_EXPORT(dirent*, readdir64, (DIR * dir)) {
    OurDir* own = ours(dir);
    return own ? next(own) : SHIM_REAL(dirent * (*)(DIR*), readdir64)(dir);
}
SHIM_EXPORT(int, closedir, (DIR * dir)) {
    OurDir* own = ours(dir);
    if (!own) return SHIM_REAL(int (*)(DIR*), closedir)(dir);
    delete own;
    g_open_dirs--;
    return 0;
}
SHIM_EXPORT(void, rewinddir, (DIR * dir)) {
    if (OurDir* own = ours(dir))
        own->at = 0;
    else
        SHIM_REAL(void (*)(DIR*), rewinddir)(dir);
}
SHIM_EXPORT(int, dirfd, (DIR * dir)) {
    return ours(dir) ? result_of(-ENOTSUP) : SHIM_REAL(int (*)(DIR*), dirfd)(dir);
}
SHIM_EXPORT(int, scandir, (const char* path, dirent*** list, Filter filter, Compare compare)) {
    const Found found = find_path(path, true);
    return found.entry ? scan(*found.entry, list, filter, compare)
                       : SHIM_REAL(int (*)(const char*, dirent***, Filter, Compare), scandir)(
                             path, list, filter, compare);
}
SHIM_EXPORT(int, scandir64, (const char* path, dirent*** list, Filter filter, Compare compare)) {
    const Found found = find_path(path, true);
    return found.entry ? scan(*found.entry, list, filter, compare)
                       : SHIM_REAL(int (*)(const char*, dirent***, Filter, Compare), scandir64)(
                             path, list, filter, compare);
}
