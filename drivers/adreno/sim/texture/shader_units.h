// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The units for the instructions of all stages: textures, uniform buffers, images. One object per thread that
// runs waves: threads share nothing. varying() is for the fragment stage's own units, which derive from it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <unordered_map>

#include "drivers/adreno/sim/core/units.h"
#include "drivers/adreno/sim/texture/descriptor.h"
#include "drivers/adreno/sim/texture/image_state.h"
#include "drivers/adreno/sim/texture/operands.h"
#include "drivers/adreno/sim/texture/texture_state.h"
#include "drivers/common/units/sampler.h"

namespace terrazzo::adreno::sim {

class ShaderUnits : public Units {
  public:
    explicit ShaderUnits(Machine& machine) : machine_(machine) {}

    /// Before waves of a stage run: the stage whose descriptors their instructions name. Descriptors are read
    /// again if state was loaded since.
    void set_stage(Stage stage);
    /// Between draws: tables of descriptors in memory, and registers, may have changed. Texels are kept.
    void forget_descriptors();
    /// Only memory that textures read may have changed.
    void forget_texels();
    /// Before a draw or dispatch: as forget_descriptors(). Texels are kept as the GPU's caches keep them,
    /// until Machine::texture_serial changes; those in tile memory, which draws write, are not kept.
    void begin_work();
    /// As forget_descriptors(), and memory that textures read may have changed.
    void forget();

    bool texture(UnitCall& call, std::string* why) override;
    /// The invocations of texture instructions since this was made.
    uint64_t texture_pixels() const { return texture_pixels_; }
    bool varying(UnitCall& call, std::string* why) override;
    bool uniform_buffer(UnitCall& call, std::string* why) override;
    bool image(UnitCall& call, std::string* why) override;

  protected:
    Machine& machine() const { return machine_; }
    Stage stage() const { return stage_; }

  private:
    /// The descriptors of a stage that were found before, by the names that instructions have for them.
    template <class State>
    using ByName = std::unordered_map<uint64_t, State>;
    struct Found {
        ByName<TextureState*> textures;
        ByName<SamplerState> samplers;
        ByName<hw::Ubo> uniform_buffers;
        ByName<std::unique_ptr<ImageState>> images;
        uint64_t serial = ~uint64_t(0), image_serial = ~uint64_t(0);  // of the loaded state
    };
    using Words = std::array<uint32_t, hw::TexConst::kSize_dw>;
    struct Request;

    TextureState* find_texture(UnitCall& call, std::string* why);
    const SamplerState* find_sampler(UnitCall& call, std::string* why);
    ImageState* find_image(UnitCall& call, std::string* why);
    const hw::Ubo* find_uniform_buffer(UnitCall& call, std::string* why);

    units::SampleLanes read_lanes(const Request& r, unsigned group, const F32 position[3],
                                  const float scale[3]) const;
    bool sample(UnitCall& call, TextureState& texture, std::string* why);
    bool fetch(UnitCall& call, TextureState& texture, std::string* why);
    bool fetch_elements(UnitCall& call, ImageState& buffer, std::string* why);
    bool check_kind(const UnitCall& call, const TextureState& texture, std::string* why);
    bool query(UnitCall& call, TextureState& texture);
    bool query_raster(UnitCall& call, std::string* why);
    bool level_of_detail(UnitCall& call, TextureState& texture, std::string* why);

    Machine& machine_;
    Stage stage_ = Stage::Fragment;
    std::array<Found, kStages> found_;
    std::map<Words, std::unique_ptr<TextureState>> textures_;  // by their descriptors
    uint64_t texture_serial_ = ~uint64_t(0);                   // of `textures_`
    uint64_t texture_pixels_ = 0;
};

}  // namespace terrazzo::adreno::sim
