// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A texture, decoded from a vendor's descriptor once. The vendor's class fills in the view and the decoder,
// and reads elements from memory. Blocks of texels are decoded at their first use and kept until
// forget_texels(): the owner calls it when memory may have changed. One thread uses a texture at a time.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "drivers/common/units/texels.h"
#include "drivers/common/wave/lanes.h"
#include "drivers/common/window/window.h"
#include "pipe/raster/edge.h"
#include "pipe/raster/sample.h"

namespace terrazzo::units {

struct TextureView {
    pipe::raster::TextureShape shape;
    unsigned samples = 1;
    bool is_3d() const { return shape.kind == pipe::ResourceKind::Tex3D; }
    bool is_cube() const {
        return shape.kind == pipe::ResourceKind::Cube || shape.kind == pipe::ResourceKind::CubeArray;
    }
    uint32_t width_px(uint32_t level) const { return std::max(1u, shape.width >> level); }
    uint32_t height_px(uint32_t level) const { return std::max(1u, shape.height >> level); }
    uint32_t depth_px(uint32_t level) const { return std::max(1u, shape.depth >> level); }
};

/// The texels that sixteen lanes fetch. at[2]: the array layer (6 * cube + face), or the slice of a 3D
/// texture.
struct FetchLanes {
    uint32_t lanes = 0;  // a bit for each lane that fetches
    wave::I32 at[3]{};
    wave::I32 offset[3]{};  // is added to `at`, without overflow
    wave::U32 level{}, sample{};
};

class Texture {
  public:
    virtual ~Texture() = default;
    const TextureView& view() const { return view_; }
    const TexelDecoder& decoder() const { return decoder_; }
    const FormatReader& format() const { return decoder_.format; }
    NumberKind kind() const { return decoder_.format.kind; }

    /// One image of the texture: a level of a layer or slice, and a sample.
    struct Image {
        uint32_t level = 0, z = 0, sample = 0;
    };
    /// The block of texels (bx, by), which must be inside of the image; valid until forget_texels(). Null:
    /// `why`.
    const TexelBlock* block(window::Window& memory, const Image& image, uint32_t bx, uint32_t by,
                            std::string* why) {
        const uint64_t key = uint64_t(image.level * 32 + image.sample) << 48 | uint64_t(image.z) << 32 |
                             uint64_t(by) << 16 | bx;
        Recent& recent = recent_[bx % 2 + 2 * (by % 2) + 4 * (image.z % 8) + 32 * (image.level % 2)];
        if (recent.key == key) return recent.block;
        const TexelBlock* const found = find_block(memory, image, bx, by, why);
        if (found) recent = {key, found};
        return found;
    }
    /// The bits of a texel inside of the image. Null: `why`.
    const uint32_t* texel(window::Window& memory, const Image& image, uint32_t x, uint32_t y,
                          std::string* why) {
        const TexelBlock* const b = block(memory, image, x / kTexelBlock_px, y / kTexelBlock_px, why);
        return b ? b->at(x, y) : nullptr;
    }
    /// Reads the bits of texels: zeros outside of the view, and in other lanes. False: an error; see `why`.
    [[nodiscard]] bool fetch(window::Window& memory, const FetchLanes& call, wave::U32 out[4],
                             std::string* why);

    void forget_texels() {
        images_.clear();
        recent_ = {};
        decoded_B_ = 0;
    }
    /// The bytes of the texels that are kept.
    uint64_t decoded_B() const { return decoded_B_; }

    /// The most texels of an image.
    static constexpr uint64_t kMaxTexels = 1u << 30;

  protected:
    /// Reads elements of an image (pixels, or blocks of a compressed format), which are inside of it and
    /// contain one block of texels, into rows of kTexelBlock_px elements. It may set the decoder's format.
    /// False: `why`.
    virtual bool read_elements(window::Window& memory, const Image& image,
                               const pipe::raster::PixelRect& elements, uint8_t* rows, std::string* why) = 0;
    TextureView view_;
    TexelDecoder decoder_;

  private:
    struct Recent {
        uint64_t key = ~uint64_t(0);
        const TexelBlock* block = nullptr;
    };
    const TexelBlock* find_block(window::Window& memory, const Image& image, uint32_t bx, uint32_t by,
                                 std::string* why);
    bool decode(window::Window& memory, const Image& image, uint32_t bx, uint32_t by, TexelBlock* out,
                std::string* why);

    // The blocks that were read last. Four neighbours have places of their own, and so have eight slices of a
    // 3D texture and two levels: a filter's lanes read all of these in turn.
    std::array<Recent, 64> recent_;
    uint64_t decoded_B_ = 0;
    // Of each image the blocks, in rows.
    std::vector<std::vector<std::unique_ptr<TexelBlock>>> images_;
};

}  // namespace terrazzo::units
