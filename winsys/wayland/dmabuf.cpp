// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: wayland-protocols, linux-dmabuf-unstable-v1.xml (version 4),
// linux-explicit-synchronization-unstable-v1.xml.
#include "winsys/wayland/dmabuf.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "winsys/drm/sync_file.h"

namespace terrazzo::winsys {
namespace {

constexpr uint64_t kLinear = 0, kInvalid = 0x00ffffffffffffff;
constexpr size_t kMaxAbandoned = 8;  // buffers of earlier sizes that the server still holds
constexpr uint32_t kMaxSize_px = INT32_MAX;

bool is_linear(uint64_t modifier) {
    return modifier == kLinear || modifier == kInvalid;
}

}  // namespace

// --- DmabufBuffer

DmabufBuffer::DmabufBuffer(wl_buffer* handle, unsigned* releases) : handle_(handle), releases_(releases) {
    static constexpr wl_buffer_listener kListener{on_release};
    wl_buffer_add_listener(handle_, &kListener, this);
}

DmabufBuffer::~DmabufBuffer() {
    if (release_) zwp_linux_buffer_release_v1_destroy(release_);
    if (handle_) wl_buffer_destroy(handle_);
    if (fence_ >= 0) close(fence_);
}

bool DmabufBuffer::busy() {
    if (fence_ >= 0 && sync_file_signalled(fence_)) close(std::exchange(fence_, -1));
    return held_ || release_ || fence_ >= 0;
}

bool DmabufBuffer::wait_for_fence() {
    if (held_ || release_ || fence_ < 0) return false;
    wait_for_sync_file(fence_);
    return true;
}

void DmabufBuffer::set_committed(zwp_linux_buffer_release_v1* release) {
    static constexpr zwp_linux_buffer_release_v1_listener kListener{on_fenced_release, on_immediate_release};
    held_ = true;
    release_ = release;
    if (release_) zwp_linux_buffer_release_v1_add_listener(release_, &kListener, this);
}

void DmabufBuffer::on_release(void* data, wl_buffer*) {
    DmabufBuffer& b = *static_cast<DmabufBuffer*>(data);
    b.held_ = false;
    ++*b.releases_;
}

void DmabufBuffer::on_fenced_release(void* data, zwp_linux_buffer_release_v1* release, int32_t fence) {
    DmabufBuffer& b = *static_cast<DmabufBuffer*>(data);
    zwp_linux_buffer_release_v1_destroy(release);
    b.release_ = nullptr;
    b.fence_ = fence;
    ++*b.releases_;
}

void DmabufBuffer::on_immediate_release(void* data, zwp_linux_buffer_release_v1* release) {
    DmabufBuffer& b = *static_cast<DmabufBuffer*>(data);
    zwp_linux_buffer_release_v1_destroy(release);
    b.release_ = nullptr;
    ++*b.releases_;
}

// --- DmabufBuffers

/// A buffer, as the window's user holds it.
class DmabufBuffers::Handle final : public WindowBuffer {
  public:
    Handle(DmabufBuffers& owner, DmabufBuffer& buffer) : owner_(owner), buffer_(buffer) {}
    ~Handle() override { owner_.abandon(buffer_); }
    bool busy() const override { return buffer_.busy(); }
    [[nodiscard]] DmabufBuffer& buffer() const { return buffer_; }

  private:
    DmabufBuffers& owner_;
    DmabufBuffer& buffer_;
};

DmabufBuffer& DmabufBuffers::of(WindowBuffer& buffer) {
    return static_cast<Handle&>(buffer).buffer();
}

void DmabufBuffers::destroy() {
    buffers_.clear();
    feedback_.destroy();
    if (synchronization_) zwp_linux_surface_synchronization_v1_destroy(synchronization_);
    if (dmabuf_) wl_proxy_wrapper_destroy(dmabuf_);
}

bool DmabufBuffers::init(wl_event_queue* queue, wl_surface* surface) {
    queue_ = queue;
    surface_ = surface;
    if (connection_.dmabuf) dmabuf_ = wrap(connection_.dmabuf, queue);
    return dmabuf_ || !connection_.dmabuf;
}

void DmabufBuffers::forget() {
    for (auto& b : buffers_)
        b->forget();
    feedback_.forget();
    dmabuf_ = nullptr;
    synchronization_ = nullptr;
}

std::span<const uint64_t> DmabufBuffers::modifiers() {
    if (!dmabuf_ || !connection_.alive()) return {};
    bool connected = true;
    if (listened_) {
        connected = connection_.dispatch_arrived(queue_);
    } else if (zwp_linux_dmabuf_v1_get_version(dmabuf_) >=
               ZWP_LINUX_DMABUF_V1_GET_SURFACE_FEEDBACK_SINCE_VERSION) {
        if (!descriptors_left()) {  // try again later; until then use the offer for all surfaces
            update_modifiers();
            return modifiers_;
        }
        feedback_.listen(zwp_linux_dmabuf_v1_get_surface_feedback(dmabuf_, surface_));
        connected = wl_display_roundtrip_queue(connection_.display, queue_) >= 0;
    }
    if (!connected) return {};  // the next present() reports it
    sweep();
    if (!listened_ || offer_count_ != feedback_.count()) update_modifiers();
    listened_ = true;
    return modifiers_;
}

/// After a new offer, refused layouts are tried again.
void DmabufBuffers::update_modifiers() {
    offer_count_ = feedback_.count();
    modifiers_ = offer().modifiers(fourcc_);
    accepted_.clear();
}

/// The modifier to send for such buffers; nothing: the server cannot show them.
std::optional<uint64_t> DmabufBuffers::modifier_to_send(uint64_t modifier) const {
    const auto offered = [&](uint64_t m) {
        return std::find(modifiers_.begin(), modifiers_.end(), m) != modifiers_.end();
    };
    if (offered(modifier)) return modifier;
    if (modifier == kLinear && offered(kInvalid)) return kInvalid;
    return std::nullopt;
}

bool DmabufBuffers::is_accepted(const SharedBuffer& buffer) const {
    return std::any_of(accepted_.begin(), accepted_.end(), [&](const Accepted& a) {
        return a.modifier == buffer.modifier && buffer.width_px <= a.width_px &&
               buffer.height_px <= a.height_px;
    });
}

void DmabufBuffers::remember(const SharedBuffer& buffer, bool accepted) {
    if (accepted) {
        std::erase_if(accepted_, [&](const Accepted& a) {  // the new entry covers it
            return a.modifier == buffer.modifier && a.width_px <= buffer.width_px &&
                   a.height_px <= buffer.height_px;
        });
        accepted_.push_back({buffer.modifier, buffer.width_px, buffer.height_px});
    } else {
        std::erase_if(modifiers_, [&](uint64_t m) {
            return m == buffer.modifier || (is_linear(m) && is_linear(buffer.modifier));
        });
    }
}

/// Asks the server with `create`, whose refusal is harmless. A refused create_immed may end the connection.
wl_buffer* DmabufBuffers::ask_server(zwp_linux_buffer_params_v1* params, const SharedBuffer& buffer,
                                     bool* refused) {
    struct Answer {
        bool given = false;
        wl_buffer* buffer = nullptr;
    } answer;
    static constexpr zwp_linux_buffer_params_v1_listener kListener{
        [](void* data, zwp_linux_buffer_params_v1*, wl_buffer* b) {
            *static_cast<Answer*>(data) = {true, b};
        },
        [](void* data, zwp_linux_buffer_params_v1*) { static_cast<Answer*>(data)->given = true; }};
    zwp_linux_buffer_params_v1_add_listener(params, &kListener, &answer);
    zwp_linux_buffer_params_v1_create(params, int32_t(buffer.width_px), int32_t(buffer.height_px),
                                      buffer.fourcc, 0);
    while (!answer.given)
        if (wl_display_dispatch_queue(connection_.display, queue_) < 0) break;
    *refused = answer.given && !answer.buffer;
    return answer.buffer;
}

wl_buffer* DmabufBuffers::import(const SharedBuffer& buffer, uint64_t modifier) {
    zwp_linux_buffer_params_v1* const params = zwp_linux_dmabuf_v1_create_params(dmabuf_);
    if (!params) return nullptr;
    zwp_linux_buffer_params_v1_add(params, buffer.fd, 0, buffer.offset_B, buffer.stride_B,
                                   uint32_t(modifier >> 32), uint32_t(modifier));
    wl_buffer* handle = nullptr;
    bool refused = false;
    if (is_accepted(buffer))
        handle = zwp_linux_buffer_params_v1_create_immed(params, int32_t(buffer.width_px),
                                                         int32_t(buffer.height_px), buffer.fourcc, 0);
    else if ((handle = ask_server(params, buffer, &refused)) || refused)
        remember(buffer, !refused);
    zwp_linux_buffer_params_v1_destroy(params);
    return handle;
}

std::unique_ptr<WindowBuffer> DmabufBuffers::create(const SharedBuffer& buffer) {
    if (!dmabuf_ || !connection_.alive() || buffer.fourcc != fourcc_ || !buffer.width_px ||
        !buffer.height_px || buffer.width_px > kMaxSize_px || buffer.height_px > kMaxSize_px)
        return nullptr;
    const std::optional<uint64_t> modifier = modifier_to_send(buffer.modifier);
    if (!modifier || !descriptors_left()) return nullptr;
    buffers_.reserve(buffers_.size() + 1);
    accepted_.reserve(accepted_.size() + 1);
    wl_buffer* const handle = import(buffer, *modifier);
    if (!handle) return nullptr;
    auto made = std::make_unique<DmabufBuffer>(handle, &releases_);
    made->width_px = buffer.width_px, made->height_px = buffer.height_px;
    buffers_.push_back(std::move(made));
    return std::make_unique<Handle>(*this, *buffers_.back());
}

bool DmabufBuffers::server_waits_for(int fence_fd) {
    if (!connection_.synchronization || !descriptors_left()) return false;
    if (!is_sync_file(fence_fd) &&
        !(is_virtual_sync_file(fence_fd) && connection_.server_fences().sync_files))
        return false;
    if (!synchronization_) {
        auto* const factory = wrap(connection_.synchronization, queue_);
        if (!factory) return false;
        synchronization_ = zwp_linux_explicit_synchronization_v1_get_synchronization(factory, surface_);
        wl_proxy_wrapper_destroy(factory);
    }
    return synchronization_;
}

void DmabufBuffers::prepare_commit(DmabufBuffer& buffer, int fence_fd) {
    zwp_linux_buffer_release_v1* release = nullptr;
    if (fence_fd >= 0) {
        zwp_linux_surface_synchronization_v1_set_acquire_fence(synchronization_, fence_fd);
        release = zwp_linux_surface_synchronization_v1_get_release(synchronization_);
    }
    buffer.set_committed(release);
}

bool DmabufBuffers::wait_for_release() {
    if (!connection_.dispatch_arrived(queue_)) return false;
    while (releases_ == seen_releases_) {
        bool any_busy = false;
        for (auto& b : buffers_) {
            if (b->wait_for_fence()) {
                ++fence_waits_;
                return true;
            }
            any_busy |= !b->abandoned && b->busy();
        }
        if (!any_busy) return true;
        if (wl_display_dispatch_queue(connection_.display, queue_) < 0) return false;
    }
    seen_releases_ = releases_;
    return true;
}

void DmabufBuffers::abandon(DmabufBuffer& buffer) {
    buffer.abandoned = true;
    if (!connection_.alive()) buffer.forget();
    sweep();
}

void DmabufBuffers::sweep() {
    std::erase_if(buffers_, [](const auto& b) { return b->abandoned && !b->busy(); });
    const auto is_abandoned = [](const auto& b) { return b->abandoned; };
    if (size_t(std::count_if(buffers_.begin(), buffers_.end(), is_abandoned)) > kMaxAbandoned)
        buffers_.erase(std::find_if(buffers_.begin(), buffers_.end(), is_abandoned));
}

}  // namespace terrazzo::winsys
