// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/cache/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "winsys/clock.h"
#include "winsys/environment/file_size.h"

namespace terrazzo::shaders {
namespace {

bool ours_alone(const struct stat& st) {
    return st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

bool make_folders(const std::string& path) {
    for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
        const std::string part = path.substr(0, at);
        if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) return false;
        if (at == path.npos) return true;
    }
}

/// A name that already exists is replaced by another one, so names need not be secret or random.
std::string unique_end() {
    static std::atomic<uint32_t> count = 0;
    char end[48];
    std::snprintf(end, sizeof end, "-%lx-%x-%lx", long(getpid()), unsigned(count.fetch_add(1)),
                  long(winsys::monotonic_ns() % winsys::kNsPerSecond));
    return end;
}
constexpr int kTriesForName = 16;

}  // namespace

Descriptor::~Descriptor() {
    if (fd_ >= 0) close(fd_);
}

int Descriptor::release() {
    return std::exchange(fd_, -1);
}

bool Descriptor::write_all(const void* data, size_t size_B) const {
    const winsys::FileSizeSignalBlock no_signal;
    auto p = static_cast<const char*>(data);
    while (size_B) {
        const ssize_t n = write(fd_, p, size_B);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        size_B -= size_t(n);
    }
    return true;
}

bool Descriptor::read_all(void* data, size_t size_B) const {
    auto p = static_cast<char*>(data);
    while (size_B) {
        const ssize_t n = read(fd_, p, size_B);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        size_B -= size_t(n);
    }
    return true;
}

Folder Folder::open(const std::string& path) {
    Folder folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat st;
    if (!folder.ok() || fstat(folder.fd_.fd(), &st) != 0) return Folder(-1);
    folder.device_ = st.st_dev;
    folder.inode_ = st.st_ino;
    if (S_ISDIR(st.st_mode) && ours_alone(st)) return folder;
    errno = EPERM;
    return Folder(-1);
}

bool Folder::still_ours() const {
    struct stat st;
    return fstat(fd_.fd(), &st) == 0 && st.st_dev == device_ && st.st_ino == inode_ && st.st_nlink > 0 &&
           ours_alone(st);
}

Folder::~Folder() {
    // If the program has closed the descriptor, this number may be another file of the program.
    struct stat st;
    const bool same = fd_.ok() && fstat(fd_.fd(), &st) == 0 && st.st_dev == device_ && st.st_ino == inode_;
    if (!same) (void)fd_.release();
}

Folder Folder::open_or_make(const std::string& path) {
    Folder folder = open(path);
    return folder.ok() || !make_folders(path) ? std::move(folder) : open(path);
}

Descriptor Folder::open_file(const std::string& name, struct stat* st) const {
    Descriptor file(openat(fd_.fd(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.ok() && fstat(file.fd(), st) == 0 && S_ISREG(st->st_mode) && ours_alone(*st)) return file;
    return Descriptor(-1);
}

Descriptor Folder::create_file(std::string* name) const {
    for (int i = 0; i < kTriesForName; ++i) {
        const std::string unique = *name + unique_end();
        Descriptor file(
            openat(fd_.fd(), unique.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (file.ok()) *name = unique;
        if (file.ok() || errno != EEXIST) return file;
    }
    return Descriptor(-1);
}

Descriptor Folder::open_subfolder(const std::string& name) const {
    return Descriptor(openat(fd_.fd(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool Folder::make_subfolder(const std::string& name) const {
    return mkdirat(fd_.fd(), name.c_str(), 0700) == 0 || errno == EEXIST;
}

bool Folder::rename(const std::string& from, const std::string& to) const {
    return renameat(fd_.fd(), from.c_str(), fd_.fd(), to.c_str()) == 0;
}

bool Folder::remove(const std::string& name) const {
    return unlinkat(fd_.fd(), name.c_str(), 0) == 0 || errno == ENOENT;
}

}  // namespace terrazzo::shaders
