// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The DRM files that the process has open. A descriptor is the read end of a pipe and is known by its inode,
// however it was duplicated, sent or inherited. The write end tells when the last copy was closed.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "winsys/shim/tree.h"
#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::shim {

/// The C library's fstat: the shim's reports a device for our descriptors.
[[nodiscard]] int real_fstat(int fd, struct stat* st);

/// A singleton. Never destroyed, since threads may use it while the process ends. Thread: any.
class OpenFiles {
  public:
    [[nodiscard]] static OpenFiles& instance();

    /// Opens a node. `flags`: open(2)'s. Returns a descriptor or -errno. If there is no device, the first
    /// call prints the reason on stderr.
    [[nodiscard]] int open(const Entry& node, int flags);
    /// Null: `fd` is not one of ours.
    [[nodiscard]] std::shared_ptr<virt::File> find(int fd);
    /// If `st`, a result of fstat, is of one of our files, changes it into that of the node and returns true.
    bool disguise(struct stat* st);
    [[nodiscard]] bool minor_of(const virt::Inode& inode, uint32_t* minor);
    /// The device, if it exists: its descriptors have requests of their own.
    [[nodiscard]] std::shared_ptr<virt::Device> device();

    /// Remembers descriptors that are ours, so that close() looks only at those.
    void note(int fd);
    void note_copy(int from, int to);
    [[nodiscard]] bool noted(int fd) const;
    /// Destroys files whose last descriptor was closed.
    void collect();

    std::mutex& mutex() { return mutex_; }  // for fork handlers

  private:
    struct Open {
        virt::Inode inode;
        int write_fd;
        uint32_t minor;
        std::shared_ptr<virt::File> file;
    };
    static constexpr int kNotedCount = 4096;

    OpenFiles();
    [[nodiscard]] std::shared_ptr<virt::Device> make_device();

    std::mutex mutex_;
    std::vector<Open> open_;
    std::shared_ptr<virt::Device> device_;
    bool complained_ = false;
    std::atomic<uint64_t> noted_[kNotedCount / 64]{};
};

}  // namespace terrazzo::winsys::shim
