// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The texture unit. A texture's descriptor, planes and format are decoded once; drivers/common/units decodes
// and filters texels.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "drivers/common/units/texels.h"
#include "drivers/common/units/texture.h"
#include "drivers/mali/sim/core/units.h"
#include "drivers/mali/sim/units/format.h"
#include "drivers/mali/sim/units/resources.h"

namespace terrazzo::mali::sim {

/// One level of one layer; for a 3D texture, all slices.
struct PlaneState {
    hw::Plane d;
    uint64_t va = 0;
    units::TexelCache texels;
};

class TextureState {
  public:
    bool load(Window& memory, uint64_t va, std::string* why);
    /// (x, y) must be inside the level; layer: the array layer (6 * cube + face), or the slice of a 3D
    /// texture.
    const uint32_t* texel(Window& memory, uint32_t level, uint32_t x, uint32_t y, uint32_t layer,
                          uint32_t sample, std::string* why);

    hw::Texture d;
    units::TextureView view;
    units::TexelDecoder decoder;

  private:
    bool read_images(Window& memory, std::string* why) const;
    bool load_plane(Window& memory, unsigned index, std::string* why);
    bool decode(Window& memory, PlaneState& p, unsigned bx, unsigned by, unsigned slice,
                units::TexelBlock* out, std::string* why);
    bool decode_afbc(Window& memory, PlaneState& p, unsigned bx, unsigned by, unsigned slice, uint8_t* pixels,
                     std::string* why);
    bool gather_pixels(Window& memory, const PlaneState& p, unsigned bx, unsigned by, unsigned slice,
                       uint8_t* pixels, std::string* why);
    bool decode_compressed(Window& memory, const PlaneState& p, unsigned bx, unsigned by, unsigned slice,
                           units::TexelBlock* out, std::string* why);
    /// The address of a pixel, or of a block of a compressed format.
    bool element(const PlaneState& p, unsigned x, unsigned y, unsigned slice, uint64_t* va,
                 std::string* why) const;

    uint64_t va_ = 0;
    std::vector<PlaneState> planes_;
};

struct SamplerState {
    hw::Sampler d;
    pipe::SamplerDesc desc;
    bool load(Window& memory, uint64_t va, std::string* why);
};

class TextureUnit {
  public:
    bool run(ResourceTables tables, bool derivatives, const MessageIn& m, U32* out, std::string* why);
    void forget() {
        textures_.clear();
        samplers_.clear();
        handles_.clear();
    }

  private:
    struct Request;
    TextureState* find_texture(Window& memory, ResourceTables tables, Handle h, std::string* why);
    SamplerState* find_sampler(Window& memory, ResourceTables tables, Handle h, std::string* why);
    bool find(Window& memory, ResourceTables tables, Handle h, uint64_t* va, std::string* why);
    bool fetch(Request& r, U32* out, std::string* why);
    bool sample(Request& r, U32* out, std::string* why);
    bool gradient(Request& r, U32* out, std::string* why);

    std::unordered_map<uint64_t, std::unique_ptr<TextureState>> textures_;  // by address
    std::unordered_map<uint64_t, SamplerState> samplers_;
    std::unordered_map<uint64_t, uint64_t> handles_;  // by tables and handle
};

}  // namespace terrazzo::mali::sim
