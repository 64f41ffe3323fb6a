// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A texture and a sampler, decoded from descriptors once. Texels are decoded in blocks at their first use,
// and kept until forget_texels().
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/adreno/sim/texture/layout.h"
#include "drivers/common/units/texels.h"
#include "drivers/common/units/texture.h"

namespace terrazzo::adreno::sim {

class TextureState {
  public:
    /// False: the descriptor is not valid for a texture.
    [[nodiscard]] bool init(const Machine& machine, const uint32_t words[hw::TexConst::kSize_dw],
                            std::string* why);
    const hw::TexConst& desc() const { return desc_; }
    const units::TextureView& view() const { return view_; }
    const TextureFormat& format() const { return format_; }
    const units::TexelDecoder& decoder() const { return decoder_; }
    /// The descriptor is all zeros: reads return zeros.
    bool is_null() const { return null_; }
    bool is_buffer() const { return desc_.type == hw::TexType::A6XX_TEX_BUFFER; }
    bool is_cube() const { return desc_.type == hw::TexType::A6XX_TEX_CUBE; }
    /// The smallest level. A clamp after the last level is ignored: Mesa writes minus the view's first level
    /// (fd6_view.c), which becomes 0 if the CPU's conversion saturates, and wraps on x86.
    float first_lod() const {
        return desc_.min_lod_clamp <= float(desc_.miplvls) ? desc_.min_lod_clamp : 0.0f;
    }
    uint64_t elements() const { return uint64_t(desc_.height) << 15 | desc_.width; }  // of a buffer
    void forget_texels() {
        planes_.clear();
        decoded_B_ = 0;
        reads_tile_memory_ = false;
    }
    /// The bytes of the texels that are kept.
    uint64_t decoded_B() const { return decoded_B_; }
    bool reads_tile_memory() const { return reads_tile_memory_; }
    /// The texture is in tile memory. It then contains one bin, with the descriptor's pitch, and coordinates
    /// are relative to SP_TP_WINDOW_OFFSET.
    bool in_tile_memory() const { return in_tile_memory_; }
    /// Whether it is wider or higher than its part in tile memory.
    bool is_cut() const { return cut_; }

    /// x and y must be inside the level; layer: array layer (6 * cube + face), or slice of a 3D texture.
    /// Null: `why`.
    const uint32_t* texel(window::Window& memory, uint32_t level, uint32_t x, uint32_t y, uint32_t layer,
                          uint32_t sample, std::string* why);
    /// The block of texels (bx, by) of a level; valid until forget_texels(). Null: `why`.
    const units::TexelBlock* block(window::Window& memory, uint32_t level, uint32_t bx, uint32_t by,
                                   uint32_t layer, uint32_t sample, std::string* why);
    /// Whether each level and layer is readable now; checks its first byte. False: `why`.
    [[nodiscard]] bool check_levels(window::Window& memory, std::string* why) const;
    /// Reads an element of a buffer; zeros beyond its end.
    [[nodiscard]] bool element(window::Window& memory, uint64_t index, uint32_t out[4],
                               std::string* why) const;

  private:
    struct Plane {
        Surface surface;
        units::TexelCache texels;
        LevelPlace place;
    };
    bool init_image(std::string* why);
    bool init_bin(std::string* why);
    Plane* load_plane(uint32_t level, uint32_t layer, std::string* why);
    bool decode(window::Window& memory, const Plane& p, unsigned bx, unsigned by, unsigned sample,
                units::TexelBlock* out, std::string* why);
    bool decode_compressed(window::Window& memory, const Plane& p, unsigned bx, unsigned by,
                           units::TexelBlock* out, std::string* why);

    const Machine* machine_ = nullptr;
    bool null_ = false, reads_tile_memory_ = false, in_tile_memory_ = false, cut_ = false;
    uint64_t decoded_B_ = 0;
    hw::TexConst desc_;
    TextureFormat format_;
    units::TextureView view_;
    units::TexelDecoder decoder_;
    std::array<LevelPlace, kMaxTextureLevels> levels_;
    std::vector<std::unique_ptr<Plane>> planes_;  // all levels of each layer or slice
};

struct SamplerState {
    hw::TexSamp desc;
    pipe::SamplerDesc sampler;  // each call fills in border and comparison
    hw::BorderColor border;
    [[nodiscard]] bool init(const Machine& machine, Stage stage, window::Window& memory,
                            const uint32_t words[hw::TexSamp::kSize_dw], std::string* why);
    /// The border as a texture of that format returns it: the bits of the numbers.
    pipe::BorderColor border_of(const TextureState& texture) const;
};

}  // namespace terrazzo::adreno::sim
