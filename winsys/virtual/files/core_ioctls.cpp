// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The DRM core's requests: identity, capabilities (drm_ioctl.c), handles (drm_gem.c), dma-bufs (drm_prime.c).
// There is no mode setting. Objects have no global names: flink fails for every caller.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "winsys/uapi/drm.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/memory/user_memory.h"

namespace terrazzo::winsys::virt {
namespace {

using namespace terrazzo::uapi;

/// Copies as much of a string as fits into the caller's buffer, and returns its full length in `*length`.
int put_string(File& file, const char* text, char* to, size_t* length) {
    const size_t real = strlen(text), room = *length;
    *length = real;
    return to && room ? file.user.write(reinterpret_cast<uintptr_t>(to), text, std::min(real, room)) : 0;
}

int version(File& file, void* data) {
    auto* v = static_cast<drm_version*>(data);
    const KernelDriver::Version& own = file.device().driver().version();
    v->version_major = own.major;
    v->version_minor = own.minor;
    v->version_patchlevel = own.patch;
    int error = put_string(file, own.name, v->name, &v->name_len);
    if (!error) error = put_string(file, own.date, v->date, &v->date_len);
    if (!error) error = put_string(file, own.description, v->desc, &v->desc_len);
    return error;
}

int get_unique(File&, void* data) {
    static_cast<drm_unique*>(data)->unique_len = 0;
    return 0;
}

int get_magic(File& file, void* data) {
    // Files need no authentication here. The number must only be valid.
    static_cast<drm_auth*>(data)->magic = 1 + static_cast<uint32_t>(file.node());
    return 0;
}

int auth_magic(File&, void* data) {
    const uint32_t magic = static_cast<drm_auth*>(data)->magic;
    return magic == 1 + static_cast<uint32_t>(Node::Card) ? 0 : -EINVAL;
}

int set_version(File&, void*) {
    return 0;
}

int set_master(File& file, void*) {
    if (file.master) return 0;
    if (file.device().has_master) return -EBUSY;
    file.master = file.device().has_master = true;
    return 0;
}

int drop_master(File& file, void*) {
    if (!file.master) return -EINVAL;
    file.master = file.device().has_master = false;
    return 0;
}

int get_cap(File&, void* data) {
    auto* cap = static_cast<drm_get_cap*>(data);
    cap->value = 0;
    switch (cap->capability) {
        case kCapPrime:
            cap->value = kPrimeCapImport | kPrimeCapExport;
            return 0;
        case kCapTimestampMonotonic:
        case kCapSyncobj:
        case kCapSyncobjTimeline:
            cap->value = 1;
            return 0;
        default:  // any number is allowed: the other ones belong to mode setting
            return -EOPNOTSUPP;
    }
}

int no_mode_setting(File&, void*) {
    return -EOPNOTSUPP;
}

int no_dumb_buffers(File&, void*) {
    return -ENOSYS;
}

int gem_close(File& file, void* data) {
    const auto bo = file.objects.remove(static_cast<drm_gem_close*>(data)->handle);
    if (!bo) return -EINVAL;
    file.handle_of.erase(bo.get());
    file.driver_file->object_closed(bo);
    return 0;
}

int gem_flink(File&, void*) {
    return -EACCES;
}

int gem_open(File&, void*) {
    return -ENOENT;  // no object has a name
}

int prime_handle_to_fd(File& file, void* data) {
    auto* args = static_cast<drm_prime_handle*>(data);
    if (args->flags & ~static_cast<uint32_t>(O_CLOEXEC | O_RDWR)) return -EINVAL;
    const auto bo = file.objects.find(args->handle);
    if (!bo) return -ENOENT;
    if (bo->exclusive) return -EINVAL;
    const int fd = bo->export_fd(args->flags & O_CLOEXEC);
    if (fd < 0) return fd;
    file.device().remember(bo);
    args->fd = fd;
    return 0;
}

int prime_fd_to_handle(File& file, void* data) {
    auto* args = static_cast<drm_prime_handle*>(data);
    int error = 0;
    auto bo = file.device().object_of(args->fd, &error);
    return bo ? file.add_object(std::move(bo), &args->handle) : error;
}

constexpr IoctlDesc kCore[] = {
    {kIoctlVersion, kRenderAllow, version},
    {kIoctlGetUnique, 0, get_unique},
    {kIoctlGetMagic, 0, get_magic},
    {kIoctlSetVersion, kMaster, set_version},
    {kIoctlGemClose, kRenderAllow, gem_close},
    {kIoctlGemFlink, kAuth, gem_flink},
    {kIoctlGemOpen, kAuth, gem_open},
    {kIoctlGetCap, kRenderAllow, get_cap},
    {kIoctlSetClientCap, 0, no_mode_setting},
    {kIoctlAuthMagic, kMaster, auth_magic},
    {kIoctlSetMaster, 0, set_master},
    {kIoctlDropMaster, 0, drop_master},
    {kIoctlPrimeHandleToFd, kRenderAllow, prime_handle_to_fd},
    {kIoctlPrimeFdToHandle, kRenderAllow, prime_fd_to_handle},
    {kIoctlModeCreateDumb, 0, no_dumb_buffers},
};
constexpr IoctlDesc kModeSetting = {kIoctlModeGetResources, 0, no_mode_setting};

/// The numbers of mode setting's requests: resources to blobs, leases, framebuffers, vertical blanks.
bool is_mode_setting(unsigned nr) {
    return (nr >= 0xa0 && nr <= 0xbe) || (nr >= 0xc6 && nr <= 0xc9) || nr == 0xce || nr == 0xd0 ||
           (nr >= 0x3a && nr <= 0x3c);
}

}  // namespace

const IoctlDesc* find_core_ioctl(unsigned nr) {
    if (const IoctlDesc* desc = find_syncobj_ioctl(nr)) return desc;
    for (const IoctlDesc& desc : kCore)
        if (_IOC_NR(desc.request) == nr) return &desc;
    return is_mode_setting(nr) ? &kModeSetting : nullptr;
}

}  // namespace terrazzo::winsys::virt
