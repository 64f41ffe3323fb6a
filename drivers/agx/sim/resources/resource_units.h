// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The units that access textures and images, for shaders of all stages: texture_sample, texture_load,
// image_write. Decoded descriptors and texels are kept until forget(). One object belongs to one thread.
#pragma once

#include <memory>
#include <unordered_map>

#include "drivers/agx/hw/records.h"
#include "drivers/agx/sim/core/units.h"
#include "drivers/agx/sim/resources/stored_image.h"
#include "drivers/common/units/sampler.h"

namespace terrazzo::agx::sim {

class TextureState final : public units::Texture {
  public:
    [[nodiscard]] bool load(window::Window& memory, uint64_t va, std::string* why);
    bool is_bound = false;  // false: reads give zeros
    /// Like fetch(), but from memory, as it is now: image loads see what other threads have stored.
    [[nodiscard]] bool fetch_stored(window::Window& memory, const units::FetchLanes& call, wave::U32 out[4],
                                    std::string* why) const;

  private:
    bool read_elements(window::Window& memory, const Image& image, const pipe::raster::PixelRect& elements,
                       uint8_t* rows, std::string* why) override;
    StoredImage image_;
    uint32_t first_level_ = 0;
};

struct SamplerState {
    [[nodiscard]] bool load(window::Window& memory, uint64_t va, bool has_border, std::string* why);
    /// With the border's colour, whose encoding depends on the texture's format.
    [[nodiscard]] bool for_texture(const TextureState& texture, pipe::SamplerDesc* out,
                                   std::string* why) const;
    bool pixel_coordinates = false;

  private:
    pipe::SamplerDesc desc_;
    hw::BorderColor border_color_ = hw::BorderColor::TransparentBlack;
    hw::Border border_;
};

/// An image that programs write.
struct ImageState {
    [[nodiscard]] bool load(window::Window& memory, uint64_t va, std::string* why);
    StoredTexels texels;
    bool has_layers = false;
    uint8_t from[4] = {0, 1, 2, 3};  // the values' components that are stored

  private:
    StoredImage image_;
};

class ResourceUnits : public Units {
  public:
    /// `has_quads`: four threads are the pixels of a quad, and their differences give levels of detail.
    explicit ResourceUnits(bool has_quads = false) : has_quads_(has_quads) {}
    bool texture(UnitCall& call, std::string* why) override;
    bool image_write(UnitCall& call, std::string* why) override;
    /// Memory may have changed.
    void forget() {
        textures_.clear();
        samplers_.clear();
        images_.clear();
    }
    /// The threads of texture instructions so far.
    uint64_t texture_fetches() const { return texture_fetches_; }

  private:
    struct Request;
    bool run(Request& r, unsigned vector, uint32_t lanes, std::string* why);

    const bool has_quads_;
    std::unordered_map<uint64_t, std::unique_ptr<TextureState>> textures_;  // by address
    std::unordered_map<uint64_t, SamplerState> samplers_;
    std::unordered_map<uint64_t, ImageState> images_;
    uint64_t texture_fetches_ = 0;
};

/// The address of the descriptor that a thread's operands choose: by number, or by a base and an offset.
/// `base`, `texture`: sources of the instruction. False: the program has not bound it.
[[nodiscard]] bool find_texture(const UnitCall& call, unsigned base, unsigned texture, unsigned thread,
                                uint64_t* va, std::string* why);

}  // namespace terrazzo::agx::sim
