// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colour attachments with more samples than their resource (pipe::Attachment::samples). A pass draws to
// multisampled images of its own. A tile's samples are loaded from the resource before the tile is first
// drawn, and resolved to it each time the tile was drawn.
#pragma once

#include <array>
#include <vector>

#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/resources/resource.h"
#include "pipe/state.h"

namespace terrazzo::soft {

class ImplicitSamples final : public pipe::RefCounted {
  public:
    /// Null if no colour has more samples than its resource. Reuses the images of `last` (may be null) if
    /// they fit. `pass` must own references to the resources. Throws std::bad_alloc.
    [[nodiscard]] static pipe::Ref<ImplicitSamples> make(const pipe::RenderPassDesc& pass,
                                                         const ImplicitSamples* last,
                                                         std::pmr::memory_resource* memory);
    /// Replaces the resources in the descriptor by the images.
    void redirect(pipe::RenderPassDesc* pass) const;

    /// Called before and after the pixels of a tile are drawn; each tile by one thread at a time.
    void load(uint32_t tile, const Rect& pixels);
    void resolve(const Rect& pixels) const;

  private:
    struct Plane {
        pipe::Ref<pipe::Resource> image;  // null: this colour's resource has all samples
        SoftResource* to = nullptr;
        pipe::Format format = pipe::Format::None;
        uint32_t level = 0, layer = 0;
        bool loads = false;
    };
    /// The address of a rectangle's first pixel.
    [[nodiscard]] static uint8_t* at(const SoftResource& r, uint32_t level, uint32_t layer,
                                     const Rect& pixels);

    std::array<Plane, pipe::kMaxColorTargets> planes_;
    std::vector<uint8_t> loaded_;  // by tile
};

}  // namespace terrazzo::soft
