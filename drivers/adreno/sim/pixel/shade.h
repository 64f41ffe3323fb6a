// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragments of an area: coverage, early tests, waves, late tests and colours; and the units that fragment shaders talk to.
#pragma once

#include <memory>
#include <utility>

#include "drivers/adreno/sim/core/core.h"
#include "drivers/adreno/sim/pixel/batch.h"
#include "drivers/adreno/sim/texture/shader_units.h"

namespace terrazzo::adreno::sim {

/// What a wave of fragments knows of itself: Wave::stage.
struct FragmentStage {
    const PixelState* state = nullptr;
    FragmentBatch batch;
    uint32_t output_words = 0;  // of a vertex
    bool uniform = false;       // one primitive has all of the batch's quads
    PixelWeights centers;       // where the shader or a prefetch wants them
};

class FragmentUnits final : public ShaderUnits {
  public:
    using ShaderUnits::ShaderUnits;
    std::vector<uint8_t>& gmem() const { return machine().gmem; }
    bool varying(UnitCall& call, std::string* why) override;
};

/// Puts a batch's inputs into registers, after find_centers(). False: a register field names none.
[[nodiscard]] bool put_inputs(const FragmentStage& stage, Wave& wave, std::string* why);

/// FragmentStage::centers of a batch.
void find_centers(FragmentStage& stage, unsigned groups);

/// Late tests, alpha and masks, then the colours of a wave that has ended. Adds to `passed` where samples are counted.
[[nodiscard]] bool take_results(FragmentStage& stage, const Wave& wave, Area& area, uint64_t* passed,
                                std::string* why);
/// Tests what is left of a batch's samples, at most once a batch. `depth`, `stencil`: the shader's, a word a lane, or null.
void test_batch(FragmentStage& stage, Area& area, const uint32_t* depth, const uint32_t* stencil);
/// Colours of target n: `value[c]` has the bits of component c of each group of lanes, floats or integers as the target has them; `second`: of the other source.
void write_colors(const FragmentStage& stage, unsigned n, const U32 (*value)[kMaxGroups],
                  const U32 (*second)[kMaxGroups], Area& area);

/// What was shaded, behind early tests: `fragments` with a shader. Helper invocations are none.
struct PixelCounts {
    uint64_t quads = 0, pixels = 0, fragments = 0;
};

/// Draws primitives into an area, in order.
class AreaShader {
  public:
    /// `targets`: how draws see their targets' memory.
    AreaShader(Core& core, FragmentUnits& units, Wave& wave, window::Window& targets, unsigned slot)
        : core_(core), units_(units), wave_(wave), targets_(targets), slot_(slot) {}
    void begin(const PixelState& state, uint32_t output_words, Area& area);
    bool draw(const FragmentPrimitive& p, Fault* fault);
    /// What is pending.
    bool flush(Fault* fault) { return !stage_.batch.count || run(fault); }
    /// Since the last call.
    uint64_t take_passed() { return std::exchange(passed_, 0); }
    PixelCounts take_counts() { return std::exchange(counts_, {}); }

  private:
    uint8_t test_pixel(const FragmentPrimitive& p, int32_t x, int32_t y, uint8_t samples);
    bool add_quad(const FragmentPrimitive& p, int32_t x, int32_t y, uint32_t mask, Fault* fault);
    bool add(const FragmentPrimitive& p, int32_t x, int32_t y, const uint8_t covered[4],
             const uint8_t left[4], unsigned sample, Fault* fault);
    bool run(Fault* fault);
    bool start_wave(Fault* fault);
    void forget_drawn();
    bool finish_overlapped(const FragmentPrimitive& p, int32_t x, int32_t y, Fault* fault);

    Core& core_;
    FragmentUnits& units_;
    Wave& wave_;
    window::Window& targets_;
    unsigned slot_;
    const PixelState* state_ = nullptr;
    Area* area_ = nullptr;
    FragmentStage stage_;
    uint64_t passed_ = 0;
    PixelCounts counts_;
    // Where primitives are ordered: who has drawn a quad since textures were forgotten.
    static constexpr unsigned kAreaQuads = Area::kSize_px / 2;
    const FragmentPrimitive* drew_[kAreaQuads][kAreaQuads] = {};
};

}  // namespace terrazzo::adreno::sim
