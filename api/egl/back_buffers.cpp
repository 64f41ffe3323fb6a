// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/egl/back_buffers.h"

#include <unistd.h>

#include <algorithm>

#include "pipe/modifier.h"
#include "winsys/memory/dmabuf.h"
#include "winsys/process/descriptors.h"

namespace terrazzo::egl {

using winsys::ImplicitFence;

namespace {

/// One is shown, one is queued, one is drawn to; a server that scans out holds one more.
constexpr size_t kMostBuffers = 4;
/// Number of descriptors for the creation of a buffer: of its memory, of its dma-buf, and the window's.
constexpr unsigned kBufferDescriptors = 4;

}  // namespace

/// The modifiers that the device and the window support, and that the window prefers. The device chooses
/// among them.
std::vector<uint64_t> BackBuffers::best_modifiers() const {
    std::vector<uint64_t> best;
    unsigned best_rank = 0;
    for (const uint64_t m : modifiers_) {
        const bool known = std::ranges::any_of(screen_->modifiers(format_), [&](const pipe::Modifier& own) {
            return !own.sampled_only && pipe::allows_modifier({&m, 1}, own.value);
        });
        const unsigned rank = window_.shared_modifier_rank(m);
        if (!known || (!best.empty() && rank > best_rank)) continue;
        if (rank < best_rank) best.clear();
        best_rank = rank;
        best.push_back(m);
    }
    return best;
}

/// Creates an image and its description for sharing. The caller owns the descriptor, also on failure.
bool BackBuffers::create_image(uint32_t width_px, uint32_t height_px, Buffer* out,
                               winsys::SharedBuffer* shared) {
    pipe::ResourceDesc d;
    d.format = format_;
    d.width = width_px, d.height = height_px;
    d.bind = pipe::bind::kColor | pipe::bind::kSampled | pipe::bind::kShared;
    pipe::SharedImage image;
    if (window_.allocates_buffers()) {
        if (!window_.allocate_buffer(width_px, height_px, shared)) return false;
        image = {shared->fd, shared->modifier, shared->offset_B, shared->stride_B};
        out->image = screen_->import_resource(d, image);
        return bool(out->image);
    }
    const std::vector<uint64_t> modifiers = best_modifiers();
    if (modifiers.empty()) return false;
    out->image = screen_->create_shared_resource(d, modifiers);
    if (!out->image || !screen_->export_resource(*out->image, &image)) return false;
    *shared = {image.fd, image.modifier, image.offset_B, image.stride_B, width_px, height_px, fourcc_};
    // A window that accepts buffers without a modifier must not get one.
    if (!std::ranges::count(modifiers_, image.modifier)) shared->modifier = pipe::kModifierInvalid;
    return true;
}

bool BackBuffers::create(uint32_t width_px, uint32_t height_px) {
    for (;;) {
        Buffer b;
        winsys::SharedBuffer shared;
        const bool made = create_image(width_px, height_px, &b, &shared);
        if (made) b.shown = window_.create_buffer(shared);
        if (made && screen_->caps().implicit_fences)
            b.fence = winsys::is_kernel_dmabuf(shared.fd) ? ImplicitFence::Kernel : ImplicitFence::Memfd;
        if (shared.fd >= 0) close(shared.fd);
        if (b.shown) {
            buffers_.push_back(std::move(b));
            return true;
        }
        // A window stops offering modifiers that it refused. The others may work.
        const std::vector<uint64_t> before = modifiers_;
        if (!made || !buffers_.empty() || !make_room(width_px, height_px) || modifiers_ == before) break;
    }
    // If the first buffer was refused, the device and the window have nothing in common. Without free
    // descriptors, the window was not asked.
    refused_ = buffers_.empty() && winsys::descriptors_left(kBufferDescriptors);
    return false;
}

/// Drops buffers that no longer match the window. False: it accepts none.
bool BackBuffers::make_room(uint32_t width_px, uint32_t height_px) {
    const std::span<const uint64_t> now = window_.shared_modifiers();
    if (now.empty()) {
        refused_ = true;
        return false;
    }
    const bool same_size = buffers_.empty() || (buffers_[0].image->desc.width == width_px &&
                                                buffers_[0].image->desc.height == height_px);
    if (same_size && std::ranges::equal(now, modifiers_)) return true;
    buffers_.clear();
    back_ = front_ = -1;
    modifiers_.assign(now.begin(), now.end());
    return true;
}

pipe::Ref<pipe::Resource> BackBuffers::acquire(uint32_t width_px, uint32_t height_px) {
    held_ = false;
    if (refused_) return nullptr;
    if (back_ >= 0 && buffers_[size_t(back_)].image->desc.width == width_px &&
        buffers_[size_t(back_)].image->desc.height == height_px)
        return buffers_[size_t(back_)].image;
    back_ = -1;
    if (!make_room(width_px, height_px)) return nullptr;
    for (;;) {
        // Prefers the image that was shown last: programs that use its age draw the least then.
        for (size_t i = 0; i < buffers_.size(); ++i)
            if (!buffers_[i].shown->busy() &&
                (back_ < 0 || buffers_[i].frame > buffers_[size_t(back_)].frame))
                back_ = int(i);
        if (back_ >= 0) return buffers_[size_t(back_)].image;
        if (buffers_.size() < kMostBuffers) {
            if (!create(width_px, height_px)) return nullptr;
        } else if (!window_.wait_for_buffer()) {
            held_ = true;
            return nullptr;
        }
    }
}

uint32_t BackBuffers::age() const {
    if (back_ < 0 || !buffers_[size_t(back_)].frame) return 0;
    return uint32_t(std::min<uint64_t>(frame_ - buffers_[size_t(back_)].frame + 1, INT32_MAX));
}

pipe::Resource* BackBuffers::front() const {
    return front_ < 0 ? nullptr : buffers_[size_t(front_)].image.get();
}

winsys::PresentStatus BackBuffers::present(std::span<const winsys::Rect> damage, int interval, int fence_fd) {
    Buffer& b = buffers_[size_t(back_)];
    const winsys::PresentStatus status =
        window_.present_shared(*b.shown, damage, interval, {fence_fd, b.fence});
    b.frame = ++frame_;
    front_ = std::exchange(back_, -1);
    return status;
}

}  // namespace terrazzo::egl
