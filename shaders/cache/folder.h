// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The cache's folder and its files, by descriptors. Machine code is loaded from these files, so only this
// user may be able to write them. Checking a path is not enough: the owner of a parent folder could replace
// ours between two system calls. So the folder is opened once, the descriptor is checked at each use, and all
// other names are relative to it. Links are not followed.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

namespace terrazzo::shaders {

/// Owns a descriptor.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] bool ok() const { return fd_ >= 0; }
    [[nodiscard]] int fd() const { return fd_; }
    [[nodiscard]] int release();
    /// Writes everything. False: RLIMIT_FSIZE is reached, the disk is full, or another error.
    [[nodiscard]] bool write_all(const void* data, size_t size_B) const;
    [[nodiscard]] bool read_all(void* data, size_t size_B) const;

  private:
    int fd_;
};

/// A folder that belongs to this process' effective user and that no other user may write to. Names are
/// relative to it, of the form "file" or "subfolder/file".
class Folder {
  public:
    /// Not ok(): there is no such folder, and errno says why. EPERM: it belongs to another user, or other
    /// users may write to it.
    [[nodiscard]] static Folder open(const std::string& path);
    /// The same, but missing folders of the path are created, for this user only.
    [[nodiscard]] static Folder open_or_make(const std::string& path);
    ~Folder();
    Folder(Folder&&) = default;
    [[nodiscard]] bool ok() const { return fd_.ok(); }
    /// False: the folder was deleted, other users may write to it now, or the program has closed the
    /// descriptor, which may be another file now.
    [[nodiscard]] bool still_ours() const;

    /// Opens a file for reading: a regular file of this user that no other user may write to. Not ok(): there
    /// is none.
    [[nodiscard]] Descriptor open_file(const std::string& name, struct stat* st) const;
    /// Creates a file for writing. `name` gets a unique suffix. Not ok(): errno says why.
    [[nodiscard]] Descriptor create_file(std::string* name) const;
    /// Opens a subfolder to read its entries.
    [[nodiscard]] Descriptor open_subfolder(const std::string& name) const;
    [[nodiscard]] bool make_subfolder(const std::string& name) const;
    [[nodiscard]] bool rename(const std::string& from, const std::string& to) const;
    /// True if the file no longer exists.
    bool remove(const std::string& name) const;

  private:
    explicit Folder(int fd) : fd_(fd) {}
    Descriptor fd_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace terrazzo::shaders
