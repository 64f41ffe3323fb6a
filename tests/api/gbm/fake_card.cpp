// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A card of a kernel driver that can only show pictures, like vkms or simpledrm: dumb buffers, dma-bufs,
// handles. The program defines fstat() and ioctl(), which override the C library's, also for the libraries. A
// card is a memfd, and so is a buffer.
#include "tests/api/gbm/fake_card.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>

#include "winsys/uapi/drm.h"

namespace {

using namespace terrazzo::uapi;

struct Card {
    std::map<uint32_t, int> buffers;  // by handle
    uint32_t next = 1;
};
struct Cards {
    std::mutex mutex;
    std::map<ino_t, Card> all;  // by the inode of the file
    gbm_test::CardCounts counts;
};
Cards& cards() {
    static Cards* const c = new Cards;
    return *c;
}

int real_fstat(int fd, struct stat* st) {
    static const auto real = reinterpret_cast<int (*)(int, struct stat*)>(dlsym(RTLD_NEXT, "fstat"));
    return real(fd, st);
}
ino_t inode_of(int fd) {
    struct stat st {};
    return real_fstat(fd, &st) == 0 ? st.st_ino : 0;
}

int handle_of(Card& card, int fd, uint32_t* handle) {
    const ino_t inode = inode_of(fd);
    if (fcntl(fd, F_GET_SEALS) < 0 || !inode) return -EINVAL;
    for (const auto& [known, buffer] : card.buffers)
        if (inode_of(buffer) == inode) {
            *handle = known;
            return 0;
        }
    *handle = card.next++;
    card.buffers[*handle] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return 0;
}

int create_dumb(Card& card, drm_mode_create_dumb* r) {
    r->pitch = (r->width * r->bpp / 8 + 63) & ~63u;
    r->size = (uint64_t(r->pitch) * r->height + 4095) & ~4095ull;
    const int fd = memfd_create("fake dumb buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, off_t(r->size)) != 0) return -ENOMEM;
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
    r->handle = card.next++;
    card.buffers[r->handle] = fd;
    ++cards().counts.dumb;
    return 0;
}

int card_ioctl(Card& card, unsigned long request, void* arg) {
    if (request == kIoctlVersion) {
        auto* const v = static_cast<drm_version*>(arg);
        v->name_len = 4;
        if (v->name) std::memcpy(v->name, "fake", 4);
        return 0;
    }
    if (request == kIoctlGetCap) {
        static_cast<drm_get_cap*>(arg)->value =
            static_cast<drm_get_cap*>(arg)->capability == kCapPrime ? 3 : 1;
        return 0;
    }
    if (request == kIoctlModeCreateDumb) return create_dumb(card, static_cast<drm_mode_create_dumb*>(arg));
    if (request == kIoctlPrimeFdToHandle) {
        auto* const p = static_cast<drm_prime_handle*>(arg);
        return handle_of(card, p->fd, &p->handle);
    }
    const bool is_export = request == kIoctlPrimeHandleToFd;
    if (!is_export && request != kIoctlGemClose) return -ENOTTY;
    const auto found = card.buffers.find(*static_cast<uint32_t*>(arg));  // both begin with the handle
    if (found == card.buffers.end()) {
        ++cards().counts.bad_handles;
        return -EINVAL;
    }
    if (is_export) {
        static_cast<drm_prime_handle*>(arg)->fd = fcntl(found->second, F_DUPFD_CLOEXEC, 3);
    } else {
        close(found->second);
        card.buffers.erase(found);
    }
    return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int fstat(int fd, struct stat* st) noexcept {
    const int result = real_fstat(fd, st);
    Cards& c = cards();
    const std::lock_guard lock(c.mutex);
    if (result == 0 && c.all.contains(st->st_ino)) {
        st->st_mode = S_IFCHR | 0666;
        st->st_rdev = makedev(226, 63);
    }
    return result;
}

extern "C" __attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list list;
    va_start(list, request);
    void* const arg = va_arg(list, void*);
    va_end(list);
    Cards& c = cards();
    {
        const std::lock_guard lock(c.mutex);
        const auto card = _IOC_TYPE(request) == 'd' ? c.all.find(inode_of(fd)) : c.all.end();
        if (card != c.all.end()) {
            const int error = card_ioctl(card->second, request, arg);
            if (error) errno = -error;
            return error ? -1 : 0;
        }
    }
    if (request == kIoctlDmaBufExportSyncFile && fcntl(fd, F_GET_SEALS) >= 0) {
        static_cast<dma_buf_sync_file*>(arg)->fd =
            eventfd(1, EFD_CLOEXEC);  // already signalled: it is not used by others
        return 0;
    }
    static const auto real = reinterpret_cast<int (*)(int, unsigned long, void*)>(dlsym(RTLD_NEXT, "ioctl"));
    return real(fd, request, arg);
}

extern "C" __attribute__((visibility("default"))) int open_fake_card() {
    const int fd = memfd_create("fake card", MFD_CLOEXEC);
    Cards& c = cards();
    const std::lock_guard lock(c.mutex);
    c.all[inode_of(fd)];
    return fd;
}

gbm_test::CardCounts gbm_test::card_counts() {
    Cards& c = cards();
    const std::lock_guard lock(c.mutex);
    CardCounts counts = c.counts;
    for (const auto& [inode, card] : c.all)
        counts.handles += int(card.buffers.size());
    return counts;
}
