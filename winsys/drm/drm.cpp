// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/drm/drm_file.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace terrazzo::winsys {
namespace {

int repeated_ioctl(int fd, unsigned long request, void* arg) {
    for (;;) {
        if (::ioctl(fd, request, arg) >= 0) return 0;
        if (errno != EINTR && errno != EAGAIN) return -errno;
    }
}

class NodeDrm final : public Drm {
  public:
    explicit NodeDrm(int fd) : fd_(fd) {}
    ~NodeDrm() override { close(fd_); }
    int ioctl(unsigned long request, void* arg) override { return repeated_ioctl(fd_, request, arg); }
    int map(uint64_t offset, size_t size_B, int prot, void** address) override {
        void* p = mmap(nullptr, size_B, prot, MAP_SHARED, fd_, static_cast<off_t>(offset));
        if (p == MAP_FAILED) return -errno;
        *address = p;
        return 0;
    }
    void unmap(void* address, size_t size_B) override { munmap(address, size_B); }
    int descriptor_ioctl(int fd, unsigned long request, void* arg) override {
        return repeated_ioctl(fd, request, arg);
    }

  private:
    const int fd_;
};

}  // namespace

std::unique_ptr<Drm> open_drm_node(const char* path, std::string* why) {
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    std::unique_ptr<Drm> drm(fd < 0 ? nullptr : new (std::nothrow) NodeDrm(fd));
    if (!drm) {
        *why = std::string("cannot open ") + path + ": " + (fd < 0 ? strerror(errno) : "out of memory");
        if (fd >= 0) close(fd);
    }
    return drm;
}

std::unique_ptr<Drm> open_drm_fd(int fd, std::string* why) {
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    std::unique_ptr<Drm> drm(own < 0 ? nullptr : new (std::nothrow) NodeDrm(own));
    if (!drm) {
        *why = std::string("cannot duplicate the file: ") + (own < 0 ? strerror(errno) : "out of memory");
        if (own >= 0) close(own);
    }
    return drm;
}

bool is_shim_file(int fd) {
    // The shim's files are pipes that its fstat() reports as character devices.
    struct stat st {};
    return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && fcntl(fd, F_GETPIPE_SZ) > 0;
}

bool is_shim_node(const char* path) {
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    const bool is = fd >= 0 && is_shim_file(fd);
    if (fd >= 0) close(fd);
    return is;
}

}  // namespace terrazzo::winsys
