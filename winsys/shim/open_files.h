// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The DRM files that the process has open. A descriptor is the read end of a pipe, known by its inode: it
// does not matter how it was duplicated, passed on, or inherited. The write end tells when the last copy was
// closed.
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

/// The C library's: that of the shim would say "a device" of our descriptors.
[[nodiscard]] int real_fstat(int fd, struct stat* st);

/// The one of the process; never destroyed, since threads may be in it when the process ends. Thread: any.
class OpenFiles {
  public:
    [[nodiscard]] static OpenFiles& instance();

    /// Opens a node. `flags`: open(2)'s. A descriptor or -errno; where there is no device, one line on stderr
    /// says why, once.
    [[nodiscard]] int open(const Entry& node, int flags);
    /// Null: `fd` is not one of ours.
    [[nodiscard]] std::shared_ptr<virt::File> find(int fd);
    /// Whether `st`, as fstat gave it, is of one of our files; then it is made to look like the node.
    bool disguise(struct stat* st);
    [[nodiscard]] bool minor_of(const virt::Inode& inode, uint32_t* minor);
    /// The device, if there is one already: for descriptors that it made.
    [[nodiscard]] std::shared_ptr<virt::Device> device();

    /// Descriptors that were ours when last seen: closing them is worth a look.
    void note(int fd);
    void note_copy(int from, int to);
    [[nodiscard]] bool noted(int fd) const;
    /// Ends files whose last descriptor was closed.
    void collect();

    std::mutex& mutex() { return mutex_; }  // for fork

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
