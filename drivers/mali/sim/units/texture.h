// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The texture unit. A texture's descriptor, planes and format are decoded once; drivers/common/units decodes
// and samples texels.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "drivers/common/units/sampler.h"
#include "drivers/mali/sim/core/units.h"
#include "drivers/mali/sim/units/format.h"
#include "drivers/mali/sim/units/resources.h"

namespace terrazzo::mali::sim {

/// How texels are decoded: as the texture's format says, or sRGB as if it were linear (Sampler.srgb_override;
/// fetches have no sampler).
enum class Decoding : uint8_t { Texture, NoSrgb };

class TextureState final : public units::Texture {
  public:
    bool load(Window& memory, uint64_t va, std::string* why, Decoding decoding = Decoding::Texture);
    /// The address of a texel inside of the image. False: it has none of its own (compressed): `why`.
    bool texel_address(Window& memory, const Image& image, unsigned x, unsigned y, uint64_t* va,
                       std::string* why);

    hw::Texture d;

  private:
    /// One level of one layer; for a 3D texture, all slices.
    struct Plane {
        hw::Plane d;
        uint64_t va = 0;  // 0: not loaded
    };
    bool read_images(Window& memory, std::string* why) const;
    bool load_plane(Window& memory, unsigned index, std::string* why);
    bool read_elements(Window& memory, const Image& image, const pipe::raster::PixelRect& elements,
                       uint8_t* rows, std::string* why) override;
    bool read_afbc(Window& memory, const Plane& p, const pipe::raster::PixelRect& elements, unsigned slice,
                   uint8_t* rows, std::string* why);
    bool read_tile(Window& memory, const Plane& p, const pipe::raster::PixelRect& elements, unsigned slice,
                   uint8_t* rows) const;
    /// The address of a pixel, or of a block of a compressed format.
    bool element(const Plane& p, unsigned x, unsigned y, unsigned slice, uint64_t* va,
                 std::string* why) const;

    uint64_t va_ = 0;
    std::vector<Plane> planes_;
};

struct SamplerState {
    hw::Sampler d;
    pipe::SamplerDesc desc;
    bool load(Window& memory, uint64_t va, std::string* why);
};

class TextureUnit {
  public:
    bool run(ResourceTables tables, bool derivatives, const MessageIn& m, U32* out, std::string* why);
    TextureState* find_texture(Window& memory, ResourceTables tables, Handle h, Decoding decoding,
                               std::string* why);
    void forget() {
        textures_.clear();
        samplers_.clear();
        handles_.clear();
        recent_ = {};
    }

  private:
    struct Request;
    SamplerState* find_sampler(Window& memory, ResourceTables tables, Handle h, std::string* why);
    const uint64_t* find(Window& memory, ResourceTables tables, Handle h, std::string* why);  // its address
    bool fetch(Request& r, U32* out, std::string* why);
    bool sample(Request& r, U32* out, std::string* why);
    bool gradient(Request& r, U32* out, std::string* why);

    std::unordered_map<uint64_t, std::unique_ptr<TextureState>> textures_;  // by address and decoding
    std::unordered_map<uint64_t, SamplerState> samplers_;
    std::unordered_map<uint64_t, uint64_t> handles_;  // by tables and handle
    /// The descriptors of the last message. The next message usually names the same ones.
    struct Recent {
        uint64_t tables = 0;
        Handle texture, sampler;
        TextureState* texture_state = nullptr;
        SamplerState* sampler_state = nullptr;  // null: the message names none
        bool decodes = true;                    // Decoding::Texture
    } recent_;
};

}  // namespace terrazzo::mali::sim
