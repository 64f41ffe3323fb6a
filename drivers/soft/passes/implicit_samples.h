// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colour attachments that have more samples than their resource (pipe::Attachment::samples). A pass draws to images of its own, which hold
// all samples. A tile's samples are made from the resource's texels before the tile is drawn first, and are resolved into them each time that
// it was drawn.
#pragma once

#include <array>
#include <vector>

#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/resources/resource.h"
#include "pipe/state.h"

namespace terrazzo::soft {

class ImplicitSamples final : public pipe::RefCounted {
  public:
    /// Null where no colour has more samples than its resource. Takes the images of `last` (may be null) where they fit. `pass` must
    /// keep the resources. Throws std::bad_alloc.
    [[nodiscard]] static pipe::Ref<ImplicitSamples> make(const pipe::RenderPassDesc& pass,
                                                         const ImplicitSamples* last,
                                                         std::pmr::memory_resource* memory);
    /// Has the images stand for the resources.
    void redirect(pipe::RenderPassDesc* pass) const;

    /// Before and after the pixels of a tile are drawn; each tile by one thread at a time.
    void load(uint32_t tile, const Rect& pixels);
    void resolve(const Rect& pixels) const;

  private:
    struct Plane {
        pipe::Ref<pipe::Resource> image;  // null: this colour has all its samples
        SoftResource* to = nullptr;
        pipe::Format format = pipe::Format::None;
        uint32_t level = 0, layer = 0;
        bool loads = false;
    };
    /// The first pixel of a rectangle.
    [[nodiscard]] static uint8_t* at(const SoftResource& r, uint32_t level, uint32_t layer,
                                     const Rect& pixels);

    std::array<Plane, pipe::kMaxColorTargets> planes_;
    std::vector<uint8_t> loaded_;  // by tile
};

}  // namespace terrazzo::soft
