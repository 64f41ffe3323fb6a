// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/gbm/surface.h"

#include <algorithm>
#include <cerrno>
#include <new>

#include "api/gbm/formats.h"
#include "api/gbm/live_set.h"
#include "pipe/modifier.h"

namespace terrazzo::gbm {
namespace {

gbm_surface* refuse(int error) {
    errno = error;
    return nullptr;
}

/// Whether the device can draw to images of the format with one of the modifiers.
bool can_draw(const pipe::Screen& screen, pipe::Format format, std::span<const uint64_t> modifiers) {
    return std::ranges::any_of(screen.modifiers(format), [&](const pipe::Modifier& m) {
        return !m.sampled_only && (modifiers.empty() || pipe::allows_modifier(modifiers, m.value));
    });
}

gbm_surface* create_surface(gbm_device* device, uint32_t width, uint32_t height, uint32_t format,
                            uint32_t flags, const uint64_t* modifiers, unsigned count) try {
    const uint32_t fourcc = canonical_format(format);
    pipe::Screen& screen = device_of(device)->screen();
    const uint32_t limit = screen.caps().max_renderbuffer_size_px;
    const pipe::Format f = image_format(screen, fourcc, true);
    if ((count && !modifiers) || (count && flags & GBM_BO_USE_LINEAR) || flags & GBM_BO_USE_PROTECTED)
        return refuse(EINVAL);
    if (!width || !height || width > limit || height > limit || f == pipe::Format::None)
        return refuse(EINVAL);
    auto s = std::make_unique<Surface>();
    if (count) s->modifiers.assign(modifiers, modifiers + count);
    if (!can_draw(screen, f, s->modifiers)) return refuse(EINVAL);
    s->device = device;
    s->v0 = {width, height, fourcc, flags, s->modifiers.data(), count};
    s->owner = device_of(device);
    s->buffers = std::make_shared<Buffers>();
    live<gbm_surface>().insert(static_cast<gbm_surface*>(s.get()));
    return s.release();
} catch (const std::bad_alloc&) {
    return refuse(ENOMEM);
}

void destroy_surface(gbm_surface* surface) {
    live<gbm_surface>().erase(surface);
    delete static_cast<Surface*>(surface);
}

}  // namespace

void destroy_bo_and_data(gbm_bo* bo) {
    if (bo->v0.destroy_user_data) bo->v0.destroy_user_data(bo, bo->v0.user_data);
    destroy_bo(bo);
}

Buffers::~Buffers() {
    for (const Entry& e : entries_)
        destroy_bo_and_data(e.bo);
}

Buffers::Entry* Buffers::find(const gbm_bo* bo) {
    const auto found = std::ranges::find(entries_, bo, &Entry::bo);
    return found == entries_.end() ? nullptr : &*found;
}

bool Buffers::add(gbm_bo* bo) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::count(entries_, false, &Entry::removed) >= kMaxBuffers) return false;
    entries_.push_back({bo});
    return true;
}

void Buffers::remove(gbm_bo* bo) {
    {
        const std::lock_guard lock(mutex_);
        Entry* const e = find(bo);
        if (!e) return;
        e->removed = true;
        if (e->state == State::Locked) return;
        entries_.erase(entries_.begin() + (e - entries_.data()));
    }
    destroy_bo_and_data(bo);  // calls a function of the program
}

void Buffers::show(gbm_bo* bo) {
    const std::lock_guard lock(mutex_);
    for (Entry& e : entries_)
        if (e.state == State::Front) e.state = State::Free;
    if (Entry* const e = find(bo)) e->state = State::Front;
}

bool Buffers::busy(const gbm_bo* bo) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, bo, &Entry::bo);
    return found != entries_.end() && found->state != State::Free;
}

bool Buffers::has_free() const {
    const std::lock_guard lock(mutex_);
    const auto busy = std::ranges::count_if(entries_, [](const Entry& e) { return e.state != State::Free; });
    return busy < kMaxBuffers;
}

gbm_bo* Buffers::lock_front() {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, State::Front, &Entry::state);
    if (found == entries_.end()) return nullptr;
    found->state = State::Locked;
    return found->bo;
}

void Buffers::release(const gbm_bo* bo) {
    gbm_bo* ended = nullptr;
    {
        const std::lock_guard lock(mutex_);
        Entry* const e = find(bo);
        if (!e || e->state != State::Locked) return;
        e->state = State::Free;
        if (e->removed) {
            ended = e->bo;
            entries_.erase(entries_.begin() + (e - entries_.data()));
        }
    }
    if (ended) destroy_bo_and_data(ended);
}

Surface* find_surface(void* native) {
    return live<gbm_surface>().contains(native) ? static_cast<Surface*>(static_cast<gbm_surface*>(native))
                                                : nullptr;
}

void fill_surface_functions(gbm_device_v0* v) {
    v->surface_create = create_surface;
    v->surface_lock_front_buffer = [](gbm_surface* s) {
        gbm_bo* const bo = static_cast<Surface*>(s)->buffers->lock_front();
        if (!bo) errno = EINVAL;
        return bo;
    };
    v->surface_release_buffer = [](gbm_surface* s, gbm_bo* bo) {
        static_cast<Surface*>(s)->buffers->release(bo);
    };
    v->surface_has_free_buffers = [](gbm_surface* s) {
        return int(static_cast<Surface*>(s)->buffers->has_free());
    };
    v->surface_destroy = destroy_surface;
}

}  // namespace terrazzo::gbm
