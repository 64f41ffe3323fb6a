// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Storage buffers and images. Shaders access their memory directly, whenever they run. memory_barrier()
// orders what the API orders by barriers. Maps and copies wait for passes that use a resource, as they do for
// attachments.
#include <algorithm>
#include <bit>

#include "drivers/soft/context/context.h"
#include "drivers/soft/resources/image_view.h"

namespace terrazzo::soft {

namespace {

template <class Slots, class T>
void bind(Slots& to, uint32_t first, std::span<const T> from) {
    for (size_t i = 0; i < from.size() && first + i < to.size(); ++i)
        to[first + i] = from[i];
}

/// The part of the range that is within the buffer.
ir::MemoryRange buffer_range(const pipe::BufferRange& b) {
    if (!b.resource || b.offset_B % 4) return {};
    const SoftResource& r = soft(*b.resource);
    if (b.offset_B >= r.size_B()) return {};
    const uint64_t size_B = std::min({b.size_B, r.size_B() - b.offset_B, uint64_t(kMaxRange_B)});
    return {r.data() + b.offset_B, uint32_t(size_B)};
}

}  // namespace

void SoftContext::set_storage_buffers(pipe::Stage stage, uint32_t first,
                                      std::span<const pipe::BufferRange> b) {
    bind(storage_buffers_[stage], first, b);
    if (stage != pipe::Stage::Fragment) return;
    draw_state_ = nullptr;
    kept_storage_ = nullptr;
}

void SoftContext::set_images(pipe::Stage stage, uint32_t first, std::span<const pipe::ImageView> views) {
    bind(images_[stage], first, views);
    if (stage != pipe::Stage::Fragment) return;
    draw_state_ = nullptr;
    kept_storage_ = nullptr;
}

void SoftContext::fill_storage(pipe::Stage stage, const CompiledShader& s, Storage* to) const {
    for (uint32_t rest = s.storage_buffers; rest; rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        to->buffers[slot] = buffer_range(storage_buffers_[stage][slot]);
    }
    for (uint32_t rest = s.images; rest; rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        to->images[slot] = image_range(images_[stage][slot]);
    }
}

void SoftContext::keep_fragment_storage() {
    const CompiledShader& s = *program_->fragment;
    stores_ |= s.writes_memory;
    if (kept_storage_) return;
    Storage* const to = pass_.arena().make<Storage>();
    fill_storage(pipe::Stage::Fragment, s, to);
    const auto keep = [&](pipe::Resource* r) {
        if (r) pass_.keep_storage(r, s.writes_memory);
    };
    for (uint32_t rest = s.storage_buffers; rest; rest &= rest - 1)
        keep(storage_buffers_[pipe::Stage::Fragment][uint32_t(std::countr_zero(rest))].resource);
    for (uint32_t rest = s.images; rest; rest &= rest - 1)
        keep(images_[pipe::Stage::Fragment][uint32_t(std::countr_zero(rest))].resource);
    kept_storage_ = to;
}

void SoftContext::wait_for_others(pipe::Stage stage, const CompiledShader& s, uint32_t samplers) {
    ForeignUses::Wait wait(foreign_);
    for (uint32_t rest = s.images; rest; rest &= rest - 1)
        if (const pipe::Resource* r = images_[stage][uint32_t(std::countr_zero(rest))].resource)
            wait.for_image(static_cast<const SoftResource&>(*r), s.writes_memory);
    for (uint32_t i = 0; i < samplers; ++i)
        if (const pipe::SamplerView* v = textures_[stage].views[i]) wait.for_image(soft(*v->resource), false);
}

/// Vertex and compute shaders have run when their draw or dispatch returned; only fragment shaders of
/// recorded passes may be pending.
void SoftContext::memory_barrier() {
    if (!stores_) return;
    finish();
    stores_ = false;
}

}  // namespace terrazzo::soft
