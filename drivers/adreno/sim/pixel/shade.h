// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragments of an area: coverage, early tests, waves, late tests and colours; and the units of fragment
// shaders.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "drivers/adreno/sim/core/core.h"
#include "drivers/adreno/sim/pixel/batch.h"
#include "drivers/adreno/sim/texture/shader_units.h"

namespace terrazzo::adreno::sim {

/// The state of a wave of fragments: Wave::stage.
struct FragmentStage {
    const PixelState* state = nullptr;
    FragmentBatch batch;
    uint32_t output_words = 0;  // words per vertex
    bool triangles = false;     // all of its primitives have three vertices
    PixelWeights centers;       // set if the shader or a prefetch needs them
};

class FragmentUnits final : public ShaderUnits {
  public:
    using ShaderUnits::ShaderUnits;
    std::vector<uint8_t>& gmem() const { return machine().gmem; }
    bool varying(UnitCall& call, std::string* why) override;
    bool planes(Wave& wave, uint32_t locations) override;
};

/// Writes a batch's inputs to registers, after find_centers(). False: a register field has no valid register.
[[nodiscard]] bool put_inputs(const FragmentStage& stage, Wave& wave, std::string* why);

/// Computes FragmentStage::centers of a batch.
void find_centers(FragmentStage& stage);

/// After a wave: late tests, alpha and masks, then colours. Adds the passed samples to `passed` if they are
/// counted.
[[nodiscard]] bool take_results(FragmentStage& stage, const Wave& wave, Area& area, uint64_t* passed,
                                std::string* why);
/// Tests the remaining samples of a batch, at most once per batch. `depth`, `stencil`: the shader's results,
/// a word per lane, or null.
void test_batch(FragmentStage& stage, Area& area, const uint32_t* depth, const uint32_t* stencil);
/// Whether a fragment that is covered surely replaces all samples of its pixel in all colour targets,
/// whatever they had.
[[nodiscard]] bool replaces_colors(const PixelState& state, const Machine& machine, const Program& program);
/// Whether the primitive covers all samples of a rectangle.
[[nodiscard]] bool covers(const PixelState& state, const FragmentPrimitive& p,
                          const pipe::raster::PixelRect& rect);

/// Counts shaded quads and pixels after early tests; `fragments`: those with a shader. Excludes helper
/// invocations.
struct PixelCounts {
    uint64_t quads = 0, pixels = 0, fragments = 0;
};

/// Draws primitives into an area, in order.
class AreaShader {
  public:
    /// `targets`: the memory of the targets, as draws access it.
    AreaShader(Core& core, FragmentUnits& units, Wave& wave, window::Window& targets, LowResolutionDepth& lrz,
               unsigned slot)
        : core_(core), units_(units), wave_(wave), targets_(targets), lrz_(lrz), slot_(slot) {}
    void begin(const PixelState& state, uint32_t output_words, Area& area);
    bool draw(const FragmentPrimitive& p, Fault* fault);
    /// Shades the pending quads.
    bool flush(Fault* fault) { return !stage_.batch.count || run(fault); }
    /// The counts since the last call.
    uint64_t take_passed() { return std::exchange(passed_, 0); }
    PixelCounts take_counts() { return std::exchange(counts_, {}); }

  private:
    using Quad = units::PrimitiveQuads::Quad;
    bool find_hidden(const FragmentPrimitive& p, bool* seen, Fault* fault);
    void leave_out_hidden();
    bool add_one_by_one(const FragmentPrimitive& p, std::span<const Quad> quads, Fault* fault);
    bool add_samples(const FragmentPrimitive& p, const Quad& quad, Fault* fault);
    bool add(const FragmentPrimitive& p, const Quad& quad, unsigned sample, Fault* fault);
    bool run(Fault* fault);
    bool start_wave(Fault* fault);
    void forget_drawn();
    bool finish_overlapped(const FragmentPrimitive& p, int32_t x, int32_t y, Fault* fault);

    Core& core_;
    FragmentUnits& units_;
    Wave& wave_;
    window::Window& targets_;
    LowResolutionDepth& lrz_;
    HiddenBlocks hidden_;                           // the area's blocks that hide the primitive
    bool knows_hidden_ = false, may_hide_ = false;  // results of LRZ for the area
    bool tests_early_ = false;
    units::PrimitiveQuads quads_;  // the primitive's quads in the area
    unsigned slot_;
    const PixelState* state_ = nullptr;
    Area* area_ = nullptr;
    FragmentStage stage_;
    uint64_t passed_ = 0;
    PixelCounts counts_;
    // If primitives are ordered: the primitive that last drew each quad since the texels were forgotten.
    static constexpr unsigned kAreaQuads = Area::kSize_px / 2;
    const FragmentPrimitive* drew_[kAreaQuads][kAreaQuads] = {};
};

}  // namespace terrazzo::adreno::sim
