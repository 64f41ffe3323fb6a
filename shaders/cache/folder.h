// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The cache's folder and its files, by descriptors. Machine code from a file that someone else can write is
// that someone's code in this process. A path says nothing about a file: who owns a folder above ours can put
// another in its place between any two system calls. So the folder is opened once, what was opened is checked
// at each use, and everything else is relative to it. Links are not followed.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

namespace terrazzo::shaders {

/// A descriptor; closed with its owner.
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
    /// All of it, or false. Beyond RLIMIT_FSIZE and on a full disk: false.
    [[nodiscard]] bool write_all(const void* data, size_t size_B) const;
    [[nodiscard]] bool read_all(void* data, size_t size_B) const;

  private:
    int fd_;
};

/// A folder that belongs to this process' effective user, and that nobody else may write to. Names are
/// relative to it, of the form "file" or "subfolder/file".
class Folder {
  public:
    /// Not ok(): there is none, or not such a one. errno says why; EPERM: it is another user's, or others may
    /// write to it.
    [[nodiscard]] static Folder open(const std::string& path);
    /// The same; what is missing of the path is made, for this user alone.
    [[nodiscard]] static Folder open_or_make(const std::string& path);
    ~Folder();
    Folder(Folder&&) = default;
    [[nodiscard]] bool ok() const { return fd_.ok(); }
    /// False where the folder was deleted, or others may write to it now, or the program has closed the
    /// descriptor and perhaps has another file there.
    [[nodiscard]] bool still_ours() const;

    /// A regular file of this user that nobody else may write to, for reading. Not ok(): there is none.
    [[nodiscard]] Descriptor open_file(const std::string& name, struct stat* st) const;
    /// A new file for writing. `name` gets a unique end. Not ok(): that cannot be, and errno says why.
    [[nodiscard]] Descriptor create_file(std::string* name) const;
    /// For reading its entries.
    [[nodiscard]] Descriptor open_subfolder(const std::string& name) const;
    [[nodiscard]] bool make_subfolder(const std::string& name) const;
    [[nodiscard]] bool rename(const std::string& from, const std::string& to) const;
    /// True where there is no such file any more.
    bool remove(const std::string& name) const;

  private:
    explicit Folder(int fd) : fd_(fd) {}
    Descriptor fd_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace terrazzo::shaders
