// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragments of an area: coverage, early tests, warps of four quads, and the units for messages of fragment
// shaders.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "drivers/common/units/color_write.h"
#include "drivers/common/units/quads.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/fragment/area.h"
#include "drivers/mali/sim/fragment/draw.h"
#include "drivers/mali/sim/fragment/pending.h"
#include "drivers/mali/sim/units/shader_units.h"

namespace terrazzo::mali::sim {

inline constexpr unsigned kQuads = kWarpLanes / 4;
/// The number of a sample that means the centre: r61's, unless a thread shades one sample (Mesa 25.0.7,
/// pan_lower_sample_position.c).
inline constexpr uint32_t kPixelCenter = 32;

/// The weights of a primitive's second and third vertex, for each lane.
using Weights = const double (*)[kWarpLanes];

/// A warp of fragments.
struct FragmentStage : Stage, units::QuadBatch<FragmentPrimitive, kQuads> {
    const FragmentDraw* draw = nullptr;
    const FramebufferState* fb = nullptr;
    Area* area = nullptr;
    uint32_t first_pixel[kQuads] = {};  // of each quad, in the area
    uint32_t samples[kQuads] = {};      // of each quad: those to shade (quad_samples.h)
    uint32_t passed[kQuads] = {};       // those that early tests have not rejected
    uint32_t tested[kQuads] = {};       // those that late tests have seen
    uint8_t sample[kQuads] = {};        // which one a quad shades, in a draw that shades each
    uint64_t* samples_passed = nullptr;
    bool has_weights = false, has_depth = false;
    double weight[2][kWarpLanes] = {};  // Weights at the centres
    /// Where the last varying was evaluated that stored its position: in 1/256 px from each pixel's corner.
    struct Places {
        bool centers = true;
        int16_t x[kWarpLanes], y[kWarpLanes];  // unless at the centres
    } stored_places;
    float depth[kWarpLanes] = {};  // the primitives' depths at the fragments

    /// The depth of the lane's fragment, unless its shader writes another one.
    float depth_of(unsigned lane);
    /// Those samples of a lane's pixel that the shader covers, if no test rejects them.
    unsigned samples_of_lane(unsigned lane) const { return samples[lane / 4] >> lane % 4 * 8 & 0xff; }
};

inline FragmentStage& stage_of(const Warp& warp) {
    return *static_cast<FragmentStage*>(static_cast<Stage*>(warp.stage));
}

/// The samples of each lane's pixel, which are a byte of its quad's word, and back. GCC has vector code for
/// these loops, but not for conversions of vectors.
inline U32 lanes_of_quads(const uint32_t (&quads)[kQuads]) {
    uint8_t bytes[kWarpLanes];
    uint32_t words[kWarpLanes];
    std::memcpy(bytes, quads, sizeof bytes);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        words[lane] = bytes[lane];
    return std::bit_cast<U32>(words);
}
inline void quads_of_lanes(const U32& lanes, uint32_t (&quads)[kQuads]) {
    uint8_t bytes[kWarpLanes];
    uint32_t words[kWarpLanes];
    std::memcpy(words, &lanes, sizeof words);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        bytes[lane] = uint8_t(words[lane]);
    std::memcpy(quads, bytes, sizeof bytes);
}

/// Samples of the quads of a warp (quad_samples.h).
struct QuadSamples {
    uint32_t quad[kQuads] = {};
    [[nodiscard]] uint32_t any() const { return quad[0] | quad[1] | quad[2] | quad[3]; }
};
static_assert(kQuads == 4);

class FragmentUnits : public ShaderUnits {
  public:
    bool allow_avx2 = true;  // false (for tests): works as on a CPU without AVX2, with the same results

    bool varying(Warp& warp, const MessageIn& m, U32* out, std::string* why) override;
    bool alpha_test(Warp& warp, const MessageIn& m, U32* out, std::string* why) override;
    bool depth_stencil(Warp& warp, const MessageIn& m, U32* out, std::string* why) override;
    bool blend(Warp& warp, const MessageIn& m, BlendPath* path, std::string* why) override;
    bool tile(Warp& warp, const MessageIn& m, U32* out, std::string* why) override;
    /// LD_VAR_BUF_IMM of floats, ATEST without tests, BLEND by the fixed function.
    bool serve_all(const BundleMessage& m) override;
    void forget() override {
        ShaderUnits::forget();
        conversions_.clear();
        writers_ = {};
    }

  private:
    bool interpolate(FragmentStage& s, const MessageIn& m, uint32_t offset_B, U32* out, std::string* why);
    bool interpolate(const BundleMessage& m);
    bool blend(const BundleMessage& m);
    bool interpolate_attribute(FragmentStage& s, const MessageIn& m, Handle h, bool flat, U32* out,
                               std::string* why);
    /// How an instruction's colours are written to a target: decided when any of the first six members
    /// changes.
    struct ColorWriter {
        const FragmentDraw* draw = nullptr;
        const hw::Blend* equation = nullptr;
        uint32_t conversion_word = 0;
        unsigned in_count = 0;
        isa::RegisterFormat given{};
        isa::VectorSize size{};
        bool raw = false;  // the registers' bytes are the pixel
        isa::RegisterFormat format{};
        units::ColorTarget how;  // if not raw
    };
    const TileConversion* conversion(uint32_t memory_format, std::string* why);
    const hw::InternalBlend* find_blend(uint64_t packed, std::string* why);
    const ColorWriter* color_writer(const FragmentStage& s, const isa::Instr& instr, unsigned in_count,
                                    unsigned target, uint32_t conversion_word, const hw::Blend* equation,
                                    std::string* why);
    bool write_color(FragmentStage& s, const MessageIn& m, unsigned target, uint32_t conversion_word,
                     const hw::Blend* equation, const QuadSamples& samples, std::string* why);

    std::unordered_map<uint32_t, TileConversion> conversions_;
    std::array<ColorWriter, kMaxTargets> writers_;
    bool knows_blend_ = false;
    uint64_t packed_blend_ = 0;  // the last BLEND's descriptor, and the same unpacked
    hw::InternalBlend blend_;
};

/// The warps of a core. They are large, so they are kept from area to area.
struct FragmentWarps {
    Warp warp[kMostBundled];
    FragmentStage stage[kMostBundled];
};

/// Draws primitives into an area, in order. Quads that pass their early tests are shaded when there are many
/// of them, those of late tests when a warp is full.
class FragmentShader {
  public:
    /// `pending` and the stages of `warps` must be empty, and are empty after flush().
    FragmentShader(Core& core, const FramebufferState& fb, PendingQuads& pending, FragmentWarps& warps)
        : core_(core), fb_(fb), pending_(pending), warp_(warps.warp), stage_(warps.stage) {}
    /// Keeps pointers to the primitive until its quads are shaded.
    bool draw(const FragmentPrimitive& p, Area& area, Fault* fault);
    bool shade_pending(Area& area, Fault* fault);
    /// Shades the pending quads.
    bool flush(Area& area, Fault* fault);
    uint64_t fragments = 0, samples_passed = 0;  // so far

  private:
    bool begin_tests(const FragmentDraw& draw, Area& area, Fault* fault);
    void begin_shading(const FragmentDraw& draw);
    bool add(const PendingQuad& q, uint32_t samples, unsigned sample, Area& area, Fault* fault);
    bool add_samples(const PendingQuad& q, Area& area, Fault* fault);
    void make_ready(Warp& warp, FragmentStage& stage);
    /// Shades the quads of all stages.
    bool run(Area& area, Fault* fault);
    void start(Warp& warp, FragmentStage& stage, Area& area);
    bool run(std::span<Warp> warps, Fault* fault);
    bool count_occlusion(const FragmentDraw& draw, Fault* fault);

    Core& core_;
    const FramebufferState& fb_;
    PendingQuads& pending_;
    const std::span<Warp, kMostBundled> warp_;
    const std::span<FragmentStage, kMostBundled> stage_;
    unsigned full_ = 0;     // the first stages, which have all their quads; the next one has some or none
    unsigned bundled_ = 1;  // how many warps of the draw run together
    unsigned ready_ = 0;    // the first warps, which have the draw's state
    uint64_t passed_ = 0;
    const FragmentDraw* testing_ = nullptr;  // the draw of the last quads
    const FragmentDraw* shading_ = nullptr;  // the draw of the warps
};

}  // namespace terrazzo::mali::sim
