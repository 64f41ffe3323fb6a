// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A texture and a sampler, decoded from descriptors once.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/adreno/sim/texture/image_state.h"
#include "drivers/adreno/sim/texture/layout.h"
#include "drivers/common/units/texture.h"

namespace terrazzo::adreno::sim {

class TextureState final : public units::Texture {
  public:
    /// False: the descriptor is not valid for a texture.
    [[nodiscard]] bool init(Machine& machine, const uint32_t words[hw::TexConst::kSize_dw], std::string* why);
    const hw::TexConst& desc() const { return desc_; }
    /// The descriptor is all zeros: reads return zeros.
    bool is_null() const { return null_; }
    bool is_buffer() const { return desc_.type == hw::TexType::A6XX_TEX_BUFFER; }
    ImageState& buffer() { return buffer_; }  // its elements, if it is a buffer
    /// The smallest level. A clamp after the last level is ignored: Mesa writes minus the view's first level
    /// (fd6_view.c), which becomes 0 if the CPU's conversion saturates, and wraps on x86.
    float first_lod() const {
        return desc_.min_lod_clamp <= float(desc_.miplvls) ? desc_.min_lod_clamp : 0.0f;
    }
    /// The texture is in tile memory. It then contains one bin, with the descriptor's pitch, and coordinates
    /// are relative to SP_TP_WINDOW_OFFSET.
    bool in_tile_memory() const { return in_tile_memory_; }
    /// Whether it is wider or higher than its part in tile memory.
    bool is_cut() const { return cut_; }

    /// Whether each level and layer is readable now; checks its first byte. False: `why`.
    [[nodiscard]] bool check_levels(window::Window& memory, std::string* why) const;

  private:
    bool init_image(std::string* why);
    bool init_bin(std::string* why);
    bool read_elements(window::Window& memory, const Image& image, const pipe::raster::PixelRect& elements,
                       uint8_t* rows, std::string* why) override;
    const Surface* surface_of(const Image& image, std::string* why);

    Machine* machine_ = nullptr;
    bool null_ = false, in_tile_memory_ = false, cut_ = false;
    hw::TexConst desc_;
    std::array<LevelPlace, kMaxTextureLevels> levels_;
    ImageState buffer_;
    std::vector<std::unique_ptr<Surface>> surfaces_;  // all levels of each layer or slice
};

struct SamplerState {
    hw::TexSamp desc;
    pipe::SamplerDesc sampler;  // for_texture() fills in the border
    hw::BorderColor border;
    [[nodiscard]] bool init(const Machine& machine, Stage stage, window::Window& memory,
                            const uint32_t words[hw::TexSamp::kSize_dw], std::string* why);
    bool has_border() const;
    /// With the border as a texture of that format returns it, and the texture's smallest level.
    pipe::SamplerDesc for_texture(const TextureState& texture) const;
};

}  // namespace terrazzo::adreno::sim
