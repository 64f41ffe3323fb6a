// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vertex shader of a draw: waves of vertices, and their outputs by VPC's locations.
#pragma once

#include <memory>
#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/geometry/attributes.h"
#include "drivers/adreno/sim/geometry/wave_runner.h"

namespace terrazzo::adreno::sim {

class VertexStage {
  public:
    static constexpr uint8_t kNoLocation = 0xff;
    /// Decodes the registers once a draw.
    [[nodiscard]] bool init(Machine& machine, Fault* fault);
    /// Shades all of `v`: out->values has theirs, in order.
    [[nodiscard]] bool run(Machine& machine, WaveRunner& runner, const std::vector<VertexInvocation>& v,
                           VertexOutputs* out, Fault* fault);
    uint32_t stride() const { return stride_; }
    /// VPC's locations; kNoLocation: the shader does not write that.
    uint8_t position() const { return position_; }
    uint8_t point_size() const { return point_size_; }

  private:
    struct Output {
        uint8_t reg, location;
    };
    bool decode_outputs(const Registers& r, Fault* fault);
    bool add_output(uint32_t regid, uint32_t mask, uint32_t location, Fault* fault);
    bool decode_memory(Machine& machine, Fault* fault);
    bool read_outputs(unsigned count, uint32_t* values, Fault* fault) const;

    VertexFetch fetch_;
    std::vector<Output> outputs_;
    std::vector<uint32_t> constants_;
    std::unique_ptr<Wave> wave_;  // large, and made once
    uint64_t code_va_ = 0, code_B_ = 0;
    uint32_t stride_ = 0;
    uint8_t position_ = kNoLocation, point_size_ = kNoLocation;
};

}  // namespace terrazzo::adreno::sim
