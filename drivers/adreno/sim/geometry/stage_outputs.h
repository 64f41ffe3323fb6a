// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The outputs of the last stage before the rasterizer: which register goes to which location of the VPC, and
// the locations that fixed-function units read.
#pragma once

#include <vector>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

class StageOutputs {
  public:
    static constexpr uint8_t kNoLocation = 0xff;
    /// Decodes the registers once per draw. `last`: Vertex, Domain or Geometry.
    [[nodiscard]] bool init(const Registers& registers, Stage last, Fault* fault);
    /// init()'s part for the rasterizer: locations of layer, viewport and distances.
    [[nodiscard]] bool init_raster(const Registers& registers, Fault* fault);
    /// Copies the outputs of the wave's first `count` lanes to values[lane * stride() ...].
    [[nodiscard]] bool read(const Wave& wave, unsigned count, uint32_t* values, Fault* fault) const;

    uint32_t stride() const { return stride_; }
    /// Locations of the VPC; kNoLocation: the shader does not write it.
    uint8_t position() const { return position_; }
    uint8_t point_size() const { return point_size_; }
    uint8_t layer() const { return layer_; }
    uint8_t view() const { return view_; }
    uint8_t clip_mask() const { return clip_mask_; }
    uint8_t cull_mask() const { return cull_mask_; }
    /// The location of clip or cull distance i, if a mask has it.
    uint8_t distance(unsigned i) const { return distance_[i]; }
    /// Of geometry shaders: the register with the strips' starts and the stream.
    isa::Reg flags() const { return flags_; }

  private:
    struct Output {
        uint8_t reg, location;
    };
    template <class R>
    bool decode(const Registers& r, Fault* fault);
    template <class R>
    bool decode_raster(const Registers& r, Fault* fault);
    bool add_output(const char* letters, uint32_t regid, uint32_t mask, uint32_t location, Fault* fault);

    Stage stage_ = Stage::Vertex;
    const char* name_ = "";
    std::vector<Output> outputs_;
    uint32_t stride_ = 0;
    uint8_t position_ = kNoLocation, point_size_ = kNoLocation, layer_ = kNoLocation, view_ = kNoLocation;
    uint8_t clip_mask_ = 0, cull_mask_ = 0, distance_[8] = {};
    isa::Reg flags_{};
};

}  // namespace terrazzo::adreno::sim
